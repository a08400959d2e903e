// The operator corrects where a link is online, and cancels links that are.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { cancelLink, cancelOrder } from "#core/decisions/ordering/CancelLinks.ts"
import { type CorrectLink, correctLink } from "#core/decisions/ordering/CorrectLink.ts"
import { moveLink } from "#core/decisions/ordering/MoveLink.ts"
import { orderRevision } from "#core/domain/ordering/Order.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { eventsOf, known, movements } from "#test/core/BookReads.ts"
import { given, HOUR_MS, insertion, item, NOON, orderBy, render } from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"

const start = placed(given(), orderBy("key_rich", { items: [insertion(12), item({ siteId: 3 })] }))
const [link, other] = start.reply.links
const linkId = link?.linkId ?? LinkId.make("")
const orderId = start.reply.order?.orderId ?? OrderId.make("")
const actor = "olga"
const at = (path: string, host = link?.domain) => `https://${host}/${path}`

const online = when(
  start.books,
  moveLink({ linkId, to: "verified", publishedUrl: at("past"), reason: null, actor, render })
).books

const correction = (over: Partial<CorrectLink> = {}): CorrectLink => ({
  linkId,
  publishedUrl: at("post", `blog.${link?.domain}`),
  reason: "a typing error",
  actor,
  render,
  ...over
})

const audited = (books: typeof online, action: string) =>
  [...HashMap.values(books.audit)].filter((record) => record.action === action)

describe("a corrected URL", () => {
  const { books, reply } = when(online, correctLink(correction()), NOON + HOUR_MS)

  it("replaces the one before; status and time of publication stay", () => {
    const before = known(online.links, linkId)
    const { publishedUrl, reason } = correction()
    expect(reply).toMatchObject({ status: "verified", publishedUrl, statusReason: reason })
    expect(reply.publishedAtMs).toBe(before.publishedAtMs)
    expect(known(books.links, linkId)).toEqual(reply)
  })

  it("is audited with both URLs and the reason, and raises the revision of the order", () => {
    const details = { from_url: at("past"), to_url: correction().publishedUrl, reason: correction().reason }
    expect(audited(books, "link.correct")).toMatchObject([{ actor, subject: linkId, details }])
    expect(orderRevision([reply])).toBe(orderRevision([known(online.links, linkId)]) + 1)
  })

  it("changes nothing where it is the present one", () => {
    expect(when(books, correctLink(correction())).written).toEqual([])
  })

  it("is refused on another host, unless the operator overrides", () => {
    const publishedUrl = "https://elsewhere.example/post"
    expect(refused(online, correctLink(correction({ publishedUrl })))).toMatchObject({ _tag: "PublishedElsewhere" })
    const then = when(online, correctLink(correction({ publishedUrl, anyway: true })))
    expect(audited(then.books, "link.correct")).toMatchObject([{ details: { anyway: true } }])
  })

  it("is refused of a link that is not online", () => {
    const waiting = refused(
      online,
      correctLink(correction({ linkId: other?.linkId ?? LinkId.make(""), publishedUrl: at("x") }))
    )
    expect(waiting).toMatchObject({ _tag: "InvalidTransition" })
  })
})

describe("a link that is online", () => {
  const cancelling = { reason: "taken down", published: true, actor, render }

  it("is cancelled with credit only when that is asked for", () => {
    const plain = refused(online, cancelLink(linkId, { ...cancelling, published: false }))
    expect(plain).toMatchObject({ _tag: "InvalidTransition", reason: expect.stringContaining("--published") })
    const { books, reply } = when(online, cancelLink(linkId, cancelling))
    expect(reply).toMatchObject({ status: "cancelled", statusReason: "taken down", publishedUrl: at("past") })
    expect(movements(books, "acc_rich").at(-1)).toBe(`recredit ${link?.netCents}`)
    expect(known(books.articles, 12).sale.state).toBe("free")
    expect(when(books, cancelLink(linkId, cancelling)).written).toEqual([])
  })

  it("stays when its order is cancelled, unless that is asked for", () => {
    const kept = when(online, cancelOrder(orderId, { ...cancelling, published: false })).books
    expect(known(kept.links, linkId).status).toBe("verified")
    const all = when(online, cancelOrder(orderId, cancelling)).books
    expect(eventsOf(all, orderId)).toEqual(["order.published", "order.cancelled"])
    expect(when(all, cancelOrder(orderId, cancelling)).written).toEqual([])
  })
})
