// Events as decisions raise them: `order.accepted` for webhooks that name it, `order.updated` once for each step that changes links, rendered
// where a webhook names it.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { violationsOf } from "#core/decisions/Invariants.ts"
import { advanceOrder } from "#core/decisions/ordering/AdvanceOrder.ts"
import { cancelLink, cancelOrder } from "#core/decisions/ordering/CancelLinks.ts"
import { correctLink } from "#core/decisions/ordering/CorrectLink.ts"
import { moveLink } from "#core/decisions/ordering/MoveLink.ts"
import { AccountId, EventId, KeyId, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { healthy } from "#core/domain/webhooks/EndpointHealth.ts"
import type { EventChoice } from "#core/domain/webhooks/Event.ts"
import { type Subscription, storedChoices } from "#core/domain/webhooks/Subscription.ts"
import { eventsOf, inOrder } from "#test/core/BookReads.ts"
import { given, item, NOON, orderBy, render, subscription } from "#test/core/Given.ts"
import { placed, when } from "#test/core/RunDecision.ts"

const items = [item({ siteId: 2 }), item({ siteId: 3 })]

const startWith = (choices: ReadonlyArray<EventChoice>) => {
  const { books, reply } = placed(
    given({ subscriptions: [subscription("wh_1", storedChoices(choices))] }),
    orderBy("key_rich", { items })
  )
  const linkId = reply.links[0]?.linkId ?? LinkId.make("")
  return { books, linkId, orderId: reply.order?.orderId ?? OrderId.make(""), domain: reply.links[0]?.domain }
}

const gone = { ...healthy, disabledAtMs: NOON }

const cancelling = { reason: "as asked", published: true, actor: null, render }

describe("order.accepted", () => {
  const placedWith = (over: Partial<Subscription>) =>
    placed(given({ subscriptions: [subscription("wh_1", over)] }), orderBy("key_rich", { items }))

  it("is raised with the order for a webhook that receives it", () => {
    const { books, reply, written } = placedWith({})
    const orderId = reply.order?.orderId ?? OrderId.make("")
    expect(written.slice(-2)).toEqual(["EventRaised", "DeliveryQueued"])
    expect(eventsOf(books, orderId)).toEqual(["order.accepted"])
    const [body] = [...books.events].map(([, event]) => event.body)
    expect(JSON.parse(body ?? "")).toEqual([
      expect.any(String),
      "order.accepted",
      orderId,
      "paid",
      reply.links.map(({ status }) => status),
      null
    ])
  })

  const another = { keyId: KeyId.make("key_second"), scope: "account" as const }

  it("is raised for another key's webhook for the whole account, which says who ordered", () => {
    const { books, reply } = placedWith(another)
    expect(eventsOf(books, reply.order?.orderId ?? OrderId.make(""))).toEqual(["order.accepted"])
    expect(inOrder(books.deliveries)).toMatchObject([
      { webhookId: "wh_1", keyId: "key_second", event: "order.accepted" }
    ])
    expect(violationsOf(books, NOON + 1).filter(({ invariant }) => invariant === "delivery_is_true")).toEqual([])
  })

  it.each([
    { events: ["order.published"] as const },
    { keyId: KeyId.make("key_poor") },
    { revokedAtMs: NOON },
    { ...another, mode: "sandbox" as const },
    { ...another, accountId: AccountId.make("acc_poor") },
    { keyId: another.keyId }
  ])("is not raised for %o", (over) => {
    const { books, reply, written } = placedWith(over)
    expect(reply.order?.quoteId).toBe(reply.quote.quoteId)
    expect(written).not.toContain("EventRaised")
    expect(HashMap.size(books.events)).toBe(0)
  })

  it.each([{}, another])("is missed by the check of the books if a webhook %o should have been told of it", (over) => {
    const { books, reply } = placedWith({ ...over, createdAtMs: NOON - 1 })
    const missed = (checked: typeof books) =>
      violationsOf(checked, NOON).filter(({ invariant }) => invariant === "event_is_queued")
    expect(missed(books)).toEqual([])
    const untold = { ...books, events: HashMap.empty(), deliveries: HashMap.empty() }
    expect(missed(untold)).toMatchObject([{ subject: reply.order?.orderId }])
  })
})

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
  const correct = correctLink({
    linkId,
    publishedUrl: `https://${domain}/b`,
    reason: "typo",
    actor: null,
    render
  })
  const published = when(books, move).books
  const corrected = when(published, correct).books
  const partly = when(corrected, cancelLink(linkId, cancelling)).books
  const all = when(partly, cancelOrder(orderId, cancelling)).books

  it("follows each move, correction and cancellation", () => {
    expect(eventsOf(all, orderId)).toEqual([
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
        subscriptions: [
          subscription("wh_1", { keyId: KeyId.make("key_rich_test"), mode: "sandbox", events: ["order.updated"] })
        ]
      }),
      orderBy("key_rich_test", { items, sandboxCreditCents: 100_000 })
    )
    const id = sandbox.reply.order?.orderId ?? OrderId.make("")
    const advanced = when(sandbox.books, advanceOrder({ orderId: id, to: "verified", render })).books
    expect(eventsOf(advanced, id)).toEqual(["order.published", "order.published", "order.updated"])
  })

  it("is not rendered for webhooks that do not name it", () => {
    const other = startWith(["order.accepted", "order.published", "order.cancelled"])
    const then = when(other.books, cancelOrder(other.orderId, cancelling)).books
    expect(eventsOf(then, other.orderId)).toEqual(["order.accepted", "order.cancelled"])
    const [unrendered] = inOrder(then.events, ({ body }) => body === null)
    expect(unrendered).toMatchObject({
      type: "order.updated",
      facts: { changedLinkIds: [expect.anything(), expect.anything()] }
    })
    expect(inOrder(then.deliveries).map(({ event }) => event)).toEqual(["order.accepted", "order.cancelled"])
  })

  it("is rendered for a webhook that is disabled, and waits there for a replay", () => {
    const disabled = { ...books, subscriptions: HashMap.map(books.subscriptions, (one) => ({ ...one, health: gone })) }
    const then = when(disabled, move).books
    expect(eventsOf(then, orderId)).toEqual(["order.published", "order.updated"])
    expect(inOrder(then.deliveries)).toEqual([])
  })

  it("is checked against the moves of the order's links", () => {
    const announced = (checked: typeof all) =>
      violationsOf(checked, NOON).filter(({ invariant }) => invariant === "order_is_announced")
    expect(announced(all)).toEqual([])
    const [event] = inOrder(all.events, ({ type }) => type === "order.updated")
    if (event === undefined) throw new Error("no event")
    const more = Array.from({ length: 9 }, (_, n) => ({ ...event, eventId: EventId.make(`evt_more_${n}`) }))
    const tooMany = more.reduce((table, one) => HashMap.set(table, one.eventId, one), all.events)
    expect(announced({ ...all, events: tooMany })).toMatchObject([{ subject: orderId }])
  })
})
