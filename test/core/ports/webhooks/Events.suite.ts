// What every store promises of the list of events: each event once, under one id, whether a webhook named it or not.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { eventIdOfNew } from "#core/domain/webhooks/EventIds.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { type EventConditions, type EventPage, Events, type ListedEvent } from "#core/ports/webhooks/Events.ts"
import { abandon, addSubscription, cancelLinkById, moveLinkTo } from "../ordering/OrderSteps.ts"
import { buyer, issueKeyTo, linksOn, listSite, order } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"

type Wish = Partial<EventConditions> & { readonly limit?: number }

const listed = Effect.fnUntraced(function* ({ keyId, mode }: Caller, wish: Wish = {}) {
  const events = yield* Events
  const page = yield* events.listed({
    ...{ shown: [keyId], leftOut: [], mode, fromMs: 0, limit: 50, beforeId: null },
    ...wish
  })
  return page.events
})

const typesOf = (events: ReadonlyArray<ListedEvent>) => events.map(({ type }) => type)

const bought = Effect.fnUntraced(function* (caller: Caller, links = 1) {
  const sites = yield* Effect.all(Array.from({ length: links }, () => listSite({ shelf: "Corail" })))
  const placed = yield* order(caller, { items: linksOn(...sites) })
  return { ...placed, orderId: placed.order?.orderId ?? OrderId.make("") }
})

export const eventsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Events of ${name}`, store, (it) => {
    it.effect("has those of an order that no webhook was told of, as it was then", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(10_000)
        const { orderId, links } = yield* bought(caller)
        const [link] = links
        if (link === undefined) throw new Error("no link")
        yield* moveLinkTo(link.linkId, "assigned")
        yield* moveLinkTo(link.linkId, "published")
        const events = yield* listed(caller)
        const told = [
          "order.accepted",
          "quote.paid",
          "order.updated",
          "order.published",
          "order.completed",
          "order.updated"
        ]
        expect(new Set(typesOf(events))).toEqual(new Set(told))
        expect(events).toHaveLength(told.length)
        expect(events.at(-1)?.eventId).toBe(eventIdOfNew("order.accepted", "live", orderId))
        const ids = events.map(({ eventId }) => eventId)
        expect(ids).toEqual(ids.toSorted().toReversed())
        const updated = events.filter(({ type }) => type === "order.updated").map(({ content }) => content)
        expect(updated).toMatchObject(
          [3, 2].map((entries) => ({
            order: { orderId },
            facts: { entries: [entries], changedLinkIds: [link.linkId] }
          }))
        )
        expect(events.find(({ type }) => type === "order.published")).toMatchObject({
          content: { body: expect.stringContaining("order.published") }
        })
      })
    )

    it.effect("gives an event that a webhook is told of the id that it has without one", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(10_000)
        const { webhookId } = yield* addSubscription(caller, { events: ["order.accepted", "quote.paid"] })
        const { orderId } = yield* bought(caller)
        const { deliveries } = yield* (yield* Deliveries).ofWebhook({ webhookId, limit: 10, beforeId: null })
        const events = yield* listed(caller)
        expect(events.map(({ eventId }) => eventId)).toEqual(
          (["quote.paid", "order.accepted"] as const).map((type) => eventIdOfNew(type, "live", orderId))
        )
        for (const { eventId, content } of events) {
          const delivered = deliveries.find((one) => one.eventId === eventId)
          expect(content).toEqual({ body: delivered?.body })
        }
      })
    )

    it.effect("lists page by page, each once, and by type, order, quote and time", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(100_000)
        const first = yield* bought(caller, 2)
        yield* addSubscription(caller, { events: ["order.accepted"] })
        const second = yield* bought(caller)
        const [link] = first.links
        if (link !== undefined) yield* cancelLinkById(link.linkId)
        const all = yield* listed(caller)
        expect(all).toHaveLength(5)
        const pages: Array<ListedEvent> = []
        let beforeId: ListedEvent["eventId"] | null = null
        do {
          const query = { shown: [caller.keyId], leftOut: [], mode: caller.mode, fromMs: 0, limit: 1, beforeId }
          const page: EventPage = yield* (yield* Events).listed(query)
          pages.push(...page.events)
          beforeId = page.nextBeforeId
        } while (beforeId !== null)
        expect(pages).toEqual(all)
        expect(typesOf(yield* listed(caller, { orderId: first.orderId }))).toEqual(["order.updated", "order.accepted"])
        expect(typesOf(yield* listed(caller, { quoteId: second.quote.quoteId }))).toEqual(["quote.paid"])
        expect(yield* listed(caller, { type: "quote.paid" })).toHaveLength(2)
        expect(yield* listed(caller, { type: "order.accepted", quoteId: second.quote.quoteId })).toEqual([])
        expect(yield* listed(caller, { fromMs: (yield* Clock.currentTimeMillis) + 3_600_000 })).toEqual([])
      })
    )

    it.effect("has what became of quotes, and counts what other keys have", () =>
      Effect.gen(function* () {
        const { caller, account } = yield* buyer()
        const { quote } = yield* bought(caller)
        yield* abandon(quote, "agent")
        const other = { ...caller, keyId: (yield* issueKeyTo({ accountId: account.accountId })).keyId }
        const shown = yield* listed(caller)
        expect(shown).toMatchObject([{ type: "quote.abandoned", content: { body: expect.any(String) } }])
        const query = { leftOut: [caller.keyId], mode: caller.mode, fromMs: 0, limit: 50, beforeId: null }
        const page = yield* (yield* Events).listed({ ...query, shown: [other.keyId] })
        expect(page).toEqual({ events: [], nextBeforeId: null, leftOutCount: 1 })
      })
    )
  })
