// A developer moves the links of a sandbox order; live orders are not found.
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { advanceOrder } from "#core/decisions/ordering/AdvanceOrder.ts"
import { cancelLink, cancelOrder } from "#core/decisions/ordering/CancelLinks.ts"
import { moveLink } from "#core/decisions/ordering/MoveLink.ts"
import type { LinkStatus, Stage } from "#core/domain/ordering/Link.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { eventsOf, known, movements } from "#test/core/BookReads.ts"
import { given, insertion, item, NOON, orderBy, render } from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"

const start = placed(given(), orderBy("key_rich_test", { items: [insertion(11), item({ siteId: 3 })] }))
const orderId = start.reply.order?.orderId ?? OrderId.make("")
const [first, second] = start.reply.links.map(({ linkId }) => linkId)

const advance = (books: Books, to: Stage) => when(books, advanceOrder({ orderId, to, render }))
const refusal = (books: Books, to: Stage, id = orderId) => refused(books, advanceOrder({ orderId: id, to, render }))
const cancel = { reason: "no", actor: null, render }

describe("a sandbox order", () => {
  it("moves with all its links", () => {
    const { reply, books } = advance(start.books, "drafted")
    expect(reply.order).toEqual(start.reply.order)
    expect(reply.links.map(({ status }) => status)).toEqual(["drafted", "drafted"])
    expect(reply.links).toEqual([first, second].map((linkId) => known(books.links, linkId ?? LinkId.make(""))))
  })

  it("is published at simulated URLs, one per link, with an event each", () => {
    const { reply, books } = advance(start.books, "published")
    expect(reply.links.map(({ publishedUrl }) => publishedUrl)).toEqual([
      `https://site1.example/sandbox/${first}`,
      `https://site3.example/sandbox/${second}`
    ])
    expect(eventsOf(books, orderId)).toEqual(["order.published", "order.published"])
  })

  it("can be verified step by step or at once", () => {
    const slow = advance(advance(start.books, "published").books, "verified")
    const fast = advance(start.books, "verified")
    expect(fast.reply.links.map(({ status, publishedUrl }) => [status, publishedUrl])).toEqual(
      slow.reply.links.map(({ status, publishedUrl }) => [status, publishedUrl])
    )
    expect(eventsOf(fast.books, orderId)).toEqual(eventsOf(slow.books, orderId))
  })

  it("moves the links that still can", () => {
    const { reply } = advance(start.books, "assigned")
    expect(reply.links.map(({ status, history }) => [status, history.length])).toEqual([
      ["assigned", 2],
      ["assigned", 2]
    ])
    const partly = when(start.books, cancelLink(first ?? LinkId.make(""), cancel))
    expect(advance(partly.books, "approved").reply.links.map(({ status }) => status)).toEqual(["cancelled", "approved"])
  })

  it("is not audited", () => {
    expect(advance(start.books, "drafted").written).toEqual(["LinkMoved", "LinkMoved", "EventRaised"])
  })

  it("can be cancelled, which credits and frees nothing", () => {
    const { reply, books } = when(start.books, cancelOrder(orderId, cancel))
    expect(reply.links.map(({ status }) => status)).toEqual(["cancelled", "cancelled"])
    expect(movements(books, "acc_rich")).toEqual([])
    expect(books.articles).toEqual(given().articles)
    expect(eventsOf(books, orderId)).toEqual(["order.cancelled"])
  })
})

describe("under an idempotency key", () => {
  const origin = (idPrefix: string) => ({ atMs: NOON, idPrefix, secretBytes: new Uint8Array(32) })
  const by = (call: string, to: LinkStatus) => advanceOrder({ orderId, to, origin: origin(call), render })

  it.each(["drafted", "verified", "cancelled"] as const)("a call moves to %s once, whatever was done since", (to) => {
    const made = when(start.books, by("one", to))
    expect(when(made.books, by("one", to)).written).toEqual([])
    const since = to === "drafted" ? when(made.books, by("two", "published")) : made
    const again = when(since.books, by("one", to))
    expect([again.written, again.reply.links]).toEqual([[], since.reply.links])
  })

  it("a cancellation that left online links is known, too", () => {
    const [link] = start.reply.links
    const move = {
      linkId: link?.linkId ?? LinkId.make(""),
      to: "published",
      reason: null,
      actor: null,
      render
    } as const
    const mixed = when(start.books, moveLink({ ...move, publishedUrl: "https://site1.example/there" }))
    const made = when(mixed.books, by("one", "cancelled"))
    expect(made.reply.links.map(({ status }) => status)).toEqual(["published", "cancelled"])
    expect(when(made.books, by("one", "cancelled")).written).toEqual([])
    expect(refused(made.books, by("two", "cancelled"))).toMatchObject({ _tag: "InvalidTransition" })
  })

  it("another call to a stage that the links have passed is refused, as one without a key is", () => {
    const { books } = when(start.books, by("one", "approved"))
    expect(refused(books, by("two", "approved"))).toMatchObject({ _tag: "InvalidTransition", to: "approved" })
    expect(refused(books, by("two", "drafted"))).toMatchObject({ _tag: "InvalidTransition", to: "drafted" })
    expect(refused(books, by("two", "to_assign"))).toMatchObject({ _tag: "InvalidTransition", to: "to_assign" })
  })
})

describe("it is refused", () => {
  it("if no link can move to that stage", () => {
    const done = advance(start.books, "verified")
    expect(refusal(done.books, "published")).toMatchObject({
      _tag: "InvalidTransition",
      from: "completed",
      to: "published"
    })
    expect(refusal(start.books, "to_assign")).toMatchObject({ _tag: "InvalidTransition", from: "paid" })
    const gone = when(start.books, cancelOrder(orderId, cancel))
    expect(refusal(gone.books, "published")).toMatchObject({ from: "cancelled" })
  })

  it("for an unknown order and for a live one", () => {
    expect(refusal(start.books, "drafted", OrderId.make("ord_none"))).toMatchObject({
      _tag: "OrderNotFound",
      orderId: "ord_none"
    })
    const live = placed(given(), orderBy("key_rich"))
    const liveId = live.reply.order?.orderId ?? OrderId.make("")
    expect(refusal(live.books, "drafted", liveId)).toMatchObject({ _tag: "OrderNotFound", orderId: liveId })
  })
})
