// `order.updated`: once for each step that changes links, for webhooks that name it.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { advanceOrder } from "#core/decisions/AdvanceOrder.ts"
import { cancelLink, cancelOrder } from "#core/decisions/CancelLinks.ts"
import { correctLink } from "#core/decisions/CorrectLink.ts"
import { violationsOf } from "#core/decisions/Invariants.ts"
import { moveLink } from "#core/decisions/MoveLink.ts"
import type { EventType } from "#core/domain/Event.ts"
import { eventsOf, inOrder } from "../BookReads.ts"
import { given, item, NOON, orderBy, render, subscription } from "../Given.ts"
import { placed, when } from "../RunDecision.ts"

const items = [item({ siteId: 2 }), item({ siteId: 3 })]

const startWith = (events: ReadonlyArray<EventType>) => {
  const { books, reply } = placed(
    given({ subscriptions: [subscription("wh_1", { events })] }),
    orderBy("key_rich", { items })
  )
  const linkId = reply.links[0]?.linkId ?? ""
  return { books, linkId, orderId: reply.order?.orderId ?? "", domain: reply.links[0]?.domain }
}

const cancelling = { reason: "as asked", published: true, actor: null, render }

describe("order.updated", () => {
  const { books, linkId, orderId, domain } = startWith(["order.updated"])
  const move = moveLink({
    linkId,
    to: "published",
    publishedUrl: `https://${domain}/a`,
    reason: null,
    actor: null,
    render
  })
  const correct = correctLink({ linkId, publishedUrl: `https://${domain}/b`, reason: "typo", actor: null, render })
  const published = when(books, move).books
  const corrected = when(published, correct).books
  const partly = when(corrected, cancelLink(linkId, cancelling)).books
  const all = when(partly, cancelOrder(orderId, cancelling)).books

  it("follows each move, correction and cancellation", () => {
    expect(eventsOf(all, orderId)).toEqual([
      "order.accepted",
      ...["order.published", "order.updated"],
      "order.updated",
      "order.updated",
      ...["order.cancelled", "order.updated"]
    ])
    const queued = inOrder(all.deliveries).map(({ event }) => event)
    expect(queued).toEqual(["order.updated", "order.updated", "order.updated", "order.updated"])
  })

  it("is raised once for all links that one step cancels or advances", () => {
    const count = (types: ReadonlyArray<string>) => types.filter((type) => type === "order.updated").length
    expect(count(eventsOf(when(books, cancelOrder(orderId, cancelling)).books, orderId))).toBe(1)
    const sandbox = placed(
      given({
        subscriptions: [subscription("wh_1", { keyId: "key_rich_test", mode: "sandbox", events: ["order.updated"] })]
      }),
      orderBy("key_rich_test", { items, sandboxCreditCents: 100_000 })
    )
    const id = sandbox.reply.order?.orderId ?? ""
    const advanced = when(sandbox.books, advanceOrder({ orderId: id, to: "verified", render })).books
    expect(eventsOf(advanced, id)).toEqual(["order.accepted", "order.published", "order.published", "order.updated"])
  })

  it("is not raised for webhooks that do not name it", () => {
    const other = startWith(["order.accepted", "order.published", "order.cancelled"])
    const then = when(other.books, cancelOrder(other.orderId, cancelling)).books
    expect(eventsOf(then, other.orderId)).toEqual(["order.accepted", "order.cancelled"])
  })

  it("is checked against the moves of the order's links", () => {
    const announced = (checked: typeof all) =>
      violationsOf(checked, NOON).filter(({ invariant }) => invariant === "order_is_announced")
    expect(announced(all)).toEqual([])
    const [event] = inOrder(all.events, ({ type }) => type === "order.updated")
    if (event === undefined) throw new Error("no event")
    const more = Array.from({ length: 9 }, (_, n) => ({ ...event, eventId: `evt_more_${n}` }))
    const tooMany = more.reduce((table, one) => HashMap.set(table, one.eventId, one), all.events)
    expect(announced({ ...all, events: tooMany })).toMatchObject([{ subject: orderId }])
  })
})
