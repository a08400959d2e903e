// What every store promises of Orders: orders with their links, lists with exact totals, and the work queue.
import { Effect } from "effect"
import { expect } from "vitest"
import type { Link } from "#core/domain/ordering/Link.ts"
import type { OrderConditions, OrderStatus } from "#core/domain/ordering/Order.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { KeyId, LinkId, OrderId, ProjectId } from "#core/domain/shared/Ids.ts"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { type OrderPage, Orders } from "#core/ports/ordering/Orders.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { buyer, createProject, insertionInto, issueKeyTo, linksOn, listArticle, listSite, order } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { addSubscription, cancelLinkById, cancelOrderById, correctLinkTo, moveLinkTo } from "./OrderSteps.ts"

const everyOrder = Effect.fnUntraced(function* (
  query: Omit<Parameters<Orders["Service"]["listed"]>[0], "leftOut" | "beforeId">,
  between: Effect.Effect<unknown, unknown, never> = Effect.void
) {
  const orders = yield* Orders
  const seen: Array<string> = []
  let beforeId: OrderId | null = null
  do {
    const page: OrderPage = yield* orders.listed({ leftOut: [], ...query, beforeId })
    seen.push(...page.orders.map(({ order: { orderId } }) => orderId))
    beforeId = page.nextBeforeId
    yield* Effect.orDie(between)
  } while (beforeId !== null)
  return seen
})

const linkOf = ({ links }: { readonly links: ReadonlyArray<Link> }, index = 0): string =>
  links[index]?.linkId ?? LinkId.make("")

export const ordersSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Orders of ${name}`, store, (it) => {
    it.effect("returns an order and its links as bought, and as they are now", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { caller } = yield* buyer(50_000)
        const sites = yield* Effect.all(times(12, () => listSite({ shelf: "Corail" })))
        const site = yield* listSite()
        const article = yield* listArticle(site.siteId, { priceCents: 777 })
        const noted = { brief: "„Genau so“ – 漢字 🔗", reference: "„Grün“ – 漢字 🔗", tier2Links: 5 as const }
        const items = [...linksOn(...sites), { ...insertionInto(article), ...noted }]
        const { order: placed, links } = yield* order(caller, { items, reference: "PO-2026-117" })
        const { orderId = OrderId.make("") } = placed ?? {}
        expect(yield* orders.byId(orderId)).toEqual({ order: placed, links })
        expect(links.map(({ siteId }) => siteId)).toEqual(items.map(({ siteId }) => siteId))
        const published = yield* moveLinkTo(LinkId.make(linkOf({ links }, 12)), "published")
        const cancelled = yield* cancelLinkById(LinkId.make(linkOf({ links }, 3)))
        const now = links.map((link, index) => (index === 12 ? published : index === 3 ? cancelled : link))
        expect(published).toMatchObject({ ...noted, status: "published", publishedUrl: expect.any(String) })
        expect(yield* orders.byId(orderId)).toEqual({ order: placed, links: now })
        expect(yield* orders.byId(OrderId.make("ord_unknown"))).toBeNull()
      })
    )

    it.effect("keeps a corrected URL, and what a link cancelled after its publication was credited", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { caller } = yield* buyer(50_000)
        const updates = yield* addSubscription(caller, { events: ["order.updated"] })
        const { links } = yield* order(caller, { items: linksOn(yield* listSite(), yield* listSite()) })
        const linkId = linkOf({ links })
        const before = yield* moveLinkTo(LinkId.make(linkId), "published")
        const corrected = yield* correctLinkTo(LinkId.make(linkId), `https://www.${before.domain}/corrected`)
        expect(corrected).toMatchObject({ status: "published", publishedAtMs: before.publishedAtMs })
        const shown = Effect.map(orders.byId(before.orderId), (found) => found?.links[0])
        expect(yield* shown).toEqual(corrected)
        const cancelled = yield* cancelLinkById(LinkId.make(linkId), { published: true })
        expect(yield* shown).toEqual(cancelled)
        expect(cancelled).toMatchObject({ status: "cancelled", publishedUrl: corrected.publishedUrl })
        const { deliveries } = yield* (yield* Deliveries).ofWebhook({
          webhookId: updates.webhookId,
          limit: 9,
          beforeId: null
        })
        expect(deliveries.map(({ event }) => event)).toEqual(["order.updated", "order.updated", "order.updated"])
        const { reconcile } = yield* Reconciliation
        const { violations } = yield* reconcile(1_000)
        expect(
          violations.filter(({ subject }) => [linkId, before.orderId, before.accountId].includes(subject))
        ).toEqual([])
      })
    )

    it.effect("pages through a key's orders newest first, none twice and none skipped while more are placed", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { caller } = yield* buyer(100_000)
        const second = yield* issueKeyTo({ accountId: caller.accountId })
        const items = linksOn(yield* listSite())
        const placed = yield* Effect.all(times(23, () => order(caller, { items })))
        yield* order({ ...caller, keyId: second.keyId }, { items })
        const context = yield* Effect.context<Effect.Services<ReturnType<typeof order>>>()
        const another = Effect.provide(order(caller, { items }), context)
        const seen = yield* everyOrder({ shown: [caller.keyId], status: null, limit: 5 }, another)
        expect(seen).toEqual(placed.map((one) => one.order?.orderId).reverse())
        const query = { shown: [caller.keyId], leftOut: [], status: null, limit: 28, beforeId: null }
        expect(yield* orders.listed(query)).toMatchObject({ total: 28, nextBeforeId: null, orders: { length: 28 } })
        const none = {
          orders: [],
          total: 0,
          leftOutCount: 0,
          nextBeforeId: null,
          totals: { count: 0, totalCents: 0, creditedCents: 0 }
        }
        expect(yield* orders.listed({ ...query, shown: [KeyId.make("key_unknown")] })).toEqual(none)
      })
    )

    it.effect("filters by the status derived from the links, with an exact total", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { caller } = yield* buyer(100_000)
        const sites = [yield* listSite(), yield* listSite()]
        const [paid, working, done, gone, rest] = yield* Effect.all(
          times(5, () => order(caller, { items: linksOn(...sites) }))
        )
        if (!(paid && working && done && gone && rest)) throw new Error("five orders were placed")
        yield* moveLinkTo(LinkId.make(linkOf(working)), "drafted")
        yield* moveLinkTo(LinkId.make(linkOf(done, 0)), "published")
        yield* moveLinkTo(LinkId.make(linkOf(done, 1)), "verified").pipe(Effect.flip)
        yield* cancelLinkById(LinkId.make(linkOf(done, 1)))
        yield* cancelOrderById(gone.order?.orderId ?? OrderId.make(""))
        yield* moveLinkTo(LinkId.make(linkOf(rest)), "assigned").pipe(Effect.flip)
        const idsOf = (...ones: ReadonlyArray<typeof paid>) => ones.map((one) => one.order?.orderId)
        const expected: Readonly<Record<OrderStatus, ReadonlyArray<string | undefined>>> = {
          paid: idsOf(rest, paid),
          in_progress: idsOf(working),
          completed: idsOf(done),
          cancelled: idsOf(gone)
        }
        for (const status of ["paid", "in_progress", "completed", "cancelled"] as const) {
          const query = { shown: [caller.keyId], leftOut: [], status, limit: 1, beforeId: null }
          expect((yield* orders.listed(query)).total).toBe(expected[status].length)
          expect(yield* everyOrder(query)).toEqual(expected[status])
        }
        for (const limit of [1, 2, 5]) {
          const all = yield* everyOrder({ shown: [caller.keyId], status: null, limit })
          expect(all).toEqual(idsOf(rest, gone, done, working, paid))
        }
      })
    )

    it.effect("narrows a list by time, target domain and project, together with the status, with an exact total", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { caller } = yield* buyer(100_000)
        const site = yield* listSite()
        const { projectId } = yield* createProject(caller.accountId)
        const to = (host: string) => linksOn(site).map((one) => ({ ...one, targetUrl: `https://${host}/page` }))
        const carts = [
          ...["shop.example", "www.shop.example", "myshop.example"].map(to),
          [...to("other.example"), ...to("shop.example").map((one) => ({ ...one, projectId }))]
        ]
        const placed = yield* Effect.all(carts.map((items) => order(caller, { items })))
        const [apex, www, , both] = placed.map((one) => one.order?.orderId)
        yield* cancelOrderById(apex ?? OrderId.make(""))
        const found = Effect.fnUntraced(function* (conditions: OrderConditions, status: OrderStatus | null = null) {
          const query = { shown: [caller.keyId], leftOut: [], status, conditions, limit: 1 }
          const ids = yield* everyOrder(query)
          expect((yield* orders.listed({ ...query, beforeId: null })).total).toBe(ids.length)
          return ids
        })
        expect(yield* found({ targetDomain: "shop.example" })).toEqual([both, www, apex])
        expect(yield* found({ targetDomain: "shop.example" }, "cancelled")).toEqual([apex])
        expect(yield* found({ targetDomain: "www.shop.example" })).toEqual([www])
        expect(yield* found({ targetDomain: "hop.example" })).toEqual([])
        expect(yield* found({ projectId })).toEqual([both])
        expect(yield* found({ projectId: ProjectId.make("prj_unknown") })).toEqual([])
        const times = placed.map((one) => one.order?.createdAtMs ?? 0)
        const [first = 0, last = 0] = [Math.min(...times), Math.max(...times)]
        expect(yield* found({ createdFromMs: first, createdToMs: last })).toHaveLength(4)
        expect(yield* found({ createdFromMs: last + 1 })).toEqual([])
        expect(yield* found({ createdToMs: first - 1 })).toEqual([])
      })
    )

    it.effect("queues those alone that are overdue, and forgets none of the days that their quotes promised", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { caller } = yield* buyer(100_000)
        const sites = [
          yield* listSite({ turnaroundDays: 0 }),
          yield* listSite(),
          yield* listSite({ turnaroundDays: 365 })
        ]
        const { links, quote } = yield* order(caller, { items: linksOn(...sites, ...sites) })
        expect(links.map(({ turnaroundDays }) => turnaroundDays)).toEqual([0, 3, 365, 0, 3, 365])
        expect((yield* (yield* Quotes).byId(quote.quoteId))?.lines).toEqual(quote.lines)
        const ids = links.map(({ linkId }) => linkId)
        yield* moveLinkTo(ids[3] ?? LinkId.make(""), "published")
        yield* cancelLinkById(ids[4] ?? LinkId.make(""))
        const orderedMs = links[0]?.history[0]?.atMs ?? 0
        const overdueAt = Effect.fnUntraced(function* (afterDays: number, overMs: number) {
          const overdueAtMs = orderedMs + afterDays * DAY_MS + overMs
          const found = yield* orders.queue({ limit: 1_000, afterId: null, overdueAtMs })
          return found.flatMap(({ linkId }) => (ids.includes(linkId) ? [ids.indexOf(linkId)] : []))
        })
        expect([yield* overdueAt(0, 0), yield* overdueAt(0, 1)]).toEqual([[], [0]])
        expect([yield* overdueAt(3, 0), yield* overdueAt(3, 1)]).toEqual([[0], [0, 1]])
        expect(yield* overdueAt(365, 0)).toEqual([0, 1])
        expect(yield* overdueAt(365, 1)).toEqual([0, 1, 2, 5])
      })
    )

    it.effect(
      "queues live links that are neither online nor cancelled, oldest first, while some are added and removed",
      () =>
        Effect.gen(function* () {
          const orders = yield* Orders
          const { caller } = yield* buyer(100_000)
          const sandbox = yield* buyer(0, { mode: "sandbox" })
          const sites = yield* Effect.all(times(12, () => listSite()))
          const earlier = yield* order(caller, { items: linksOn(...sites.slice(0, 2)) })
          const { links } = yield* order(caller, { items: linksOn(...sites) })
          yield* order(sandbox.caller, { items: linksOn(...sites), sandboxCreditCents: 100_000 })
          const ids = links.map(({ linkId }) => linkId)
          yield* moveLinkTo(ids[1] ?? LinkId.make(""), "published")
          yield* cancelLinkById(ids[2] ?? LinkId.make(""))
          yield* moveLinkTo(ids[3] ?? LinkId.make(""), "approved")
          const seen: Array<Link> = []
          const next = Effect.suspend(() =>
            orders.queue({ limit: 4, afterId: LinkId.make(seen.at(-1)?.linkId ?? linkOf(earlier, 1)) })
          ).pipe(Effect.tap((page) => Effect.sync(() => seen.push(...page))))
          expect(yield* next).toHaveLength(4)
          yield* moveLinkTo(ids[0] ?? LinkId.make(""), "published")
          yield* moveLinkTo(ids[8] ?? LinkId.make(""), "published")
          yield* order(caller, { items: linksOn(...sites.slice(0, 2)) })
          while ((yield* next).length === 4);
          const waiting = ids.filter((_, index) => ![1, 2, 8].includes(index))
          expect(seen.map(({ linkId }) => linkId).slice(0, waiting.length)).toEqual(waiting)
          expect(seen).toHaveLength(waiting.length + 2)
          const all = (yield* orders.queue({ limit: 1_000, afterId: null })).map(({ linkId }) => linkId)
          expect(all).toEqual([...all].sort())
          expect(all).toEqual(expect.arrayContaining([linkOf(earlier), ...waiting.slice(1)]))
          expect(seen.every(({ mode }) => mode === "live")).toBe(true)
        })
    )
  })
