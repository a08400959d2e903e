// What every store promises of the orders of several keys: one list, newest first, that can be searched.
import { Effect } from "effect"
import { expect } from "vitest"
import { type Order, type OrderConditions, OrderStatus } from "#core/domain/ordering/Order.ts"
import { KeyId, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { type OrderSearchPage, Orders } from "#core/ports/ordering/Orders.ts"
import { buyer, issueKeyTo, linksOn, listSite, order } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { cancelLinkById } from "./OrderSteps.ts"

export const ordersOfKeysSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Orders of several keys of ${name}`, store, (it) => {
    it.effect(
      "pages through the orders of several keys together, newest first, and finds text in any part of them",
      () =>
        Effect.gen(function* () {
          const orders = yield* Orders
          const { caller } = yield* buyer(100_000)
          const { keyId } = yield* issueKeyTo({ accountId: caller.accountId })
          const site = yield* listSite()
          const stranger = yield* buyer(10_000)
          yield* order(stranger.caller, { items: linksOn(site) })
          const placed: Array<string> = []
          for (const [index, key] of [0, 1, 1, 0, 1, 0, 0].map((at) => [caller.keyId, keyId][at] ?? "").entries()) {
            const items = linksOn(site).map((item) => ({ ...item, anchorText: `Anchor ${index} ÄB%_` }))
            placed.unshift(
              (yield* order({ ...caller, keyId: KeyId.make(key) }, { items })).order?.orderId ?? OrderId.make("")
            )
          }
          const keyIds = [caller.keyId, keyId]
          const statuses: ReadonlyArray<OrderStatus> = ["paid", "in_progress", "completed", "cancelled"]
          const seen: Array<string> = []
          let beforeId: OrderId | null = null
          do {
            const page: OrderSearchPage = yield* orders.ofKeys({ keyIds, statuses, limit: 3, beforeId })
            seen.push(...page.orders.map((one) => one.order.orderId))
            beforeId = page.nextBeforeId
          } while (beforeId !== null)
          expect(seen).toEqual(placed)
          const find = (text: string) =>
            Effect.map(orders.ofKeys({ keyIds, statuses, conditions: { text }, limit: 50, beforeId: null }), (page) =>
              page.orders.map((one) => one.order.orderId)
            )
          expect(yield* find("aNCHOR 2 Äb")).toEqual([placed[4]])
          expect(yield* find("anchor 2 äb")).toEqual([])
          expect(yield* find("%_")).toEqual(placed)
          expect(yield* find(placed[3]?.toUpperCase() ?? "")).toEqual([placed[3]])
          expect(yield* find(site.domain)).toEqual(placed)
          expect(yield* find("nowhere to be found")).toEqual([])
          const referring = linksOn(site).map((item) => ({ ...item, reference: "Po-17" }))
          const { order: first } = yield* order(caller, { items: referring })
          const { order: second } = yield* order(caller, { items: linksOn(site), reference: "pO-17" })
          expect(yield* find("PO-17")).toEqual([second?.orderId, first?.orderId])
          const some = { statuses: ["completed"] as const, limit: 9, beforeId: null }
          const nothing = { orders: [], nextBeforeId: null, examinedToMs: null }
          expect(yield* orders.ofKeys({ keyIds, ...some })).toEqual(nothing)
          expect(yield* orders.ofKeys({ keyIds: [], ...some, statuses })).toEqual(nothing)
        })
    )

    it.effect(
      "counts what the same list would have of the keys that it leaves out, and lists them where they are asked for",
      () =>
        Effect.gen(function* () {
          const orders = yield* Orders
          const { caller } = yield* buyer(100_000)
          const [second, third] = [
            yield* issueKeyTo({ accountId: caller.accountId }),
            yield* issueKeyTo({ accountId: caller.accountId })
          ]
          const site = yield* listSite()
          const to = (host: string) => linksOn(site).map((one) => ({ ...one, targetUrl: `https://${host}/` }))
          yield* order(caller, { items: to("one.example") })
          for (const [{ keyId }, host] of [
            [second, "one.example"],
            [second, "two.example"],
            [third, "one.example"]
          ] as const) {
            yield* order({ ...caller, keyId }, { items: to(host) })
          }
          const leftOut = [second.keyId, third.keyId]
          const any = { status: null, limit: 9, beforeId: null }
          const countedIn = Effect.fnUntraced(function* (query: Parameters<typeof orders.listed>[0]) {
            const { orders: found, total, leftOutCount } = yield* orders.listed(query)
            expect(found).toHaveLength(total)
            return [total, leftOutCount]
          })
          const own = { ...any, shown: [caller.keyId], leftOut }
          const one = { conditions: { targetDomain: "one.example" } }
          expect(yield* countedIn(own)).toEqual([1, 3])
          expect(yield* countedIn({ ...own, ...one })).toEqual([1, 2])
          expect(yield* countedIn({ ...own, conditions: { targetDomain: "two.example" } })).toEqual([0, 1])
          expect(yield* countedIn({ ...own, status: "paid" })).toEqual([1, 3])
          expect(yield* countedIn({ ...own, ...one, status: "completed" })).toEqual([0, 0])
          expect(yield* countedIn({ ...any, shown: [caller.keyId, ...leftOut], leftOut: [] })).toEqual([4, 0])
          expect(yield* countedIn({ ...any, ...one, shown: [caller.keyId, ...leftOut], leftOut: [] })).toEqual([3, 0])
          const [{ order: cheap, links } = { order: null, links: [] }] = (yield* orders.listed(own)).orders
          const linkId = links[0]?.linkId ?? LinkId.make("")
          const sums = { count: 1, totalCents: cheap?.totalCents, creditedCents: 0 }
          expect((yield* orders.listed(own)).totals).toEqual(sums)
          yield* cancelLinkById(linkId)
          const after = { ...sums, creditedCents: links[0]?.netCents }
          expect((yield* orders.listed(own)).totals).toEqual(after)
          expect((yield* orders.listed({ ...own, ...one })).totals).toEqual(after)
          expect((yield* orders.listed({ ...own, status: "completed" })).totals).toEqual({
            ...{ count: 0, totalCents: 0, creditedCents: 0 }
          })
          const last = yield* orders.listed({ ...own, limit: 1, beforeId: OrderId.make("ord_") })
          expect(last).toMatchObject({ orders: [], total: 1, leftOutCount: 3 })
          expect("totals" in last).toBe(false)
        })
    )

    it.effect("narrows a list by a reference of the order or of a link, and by site, with an exact total", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { caller } = yield* buyer(100_000)
        const [site, other] = [yield* listSite(), yield* listSite()]
        const referring = (reference: string) => linksOn(site).map((one) => ({ ...one, reference }))
        const [whole, ofLink, none] = yield* Effect.all([
          order(caller, { items: linksOn(site), reference: "PO 1" }),
          order(caller, { items: [...linksOn(other), ...referring("PO 1")], reference: "PO 2" }),
          order(caller, { items: linksOn(other) })
        ])
        const idsOf = (...ones: ReadonlyArray<typeof whole>) => ones.map((one) => one.order?.orderId)
        const found = Effect.fnUntraced(function* (conditions: OrderConditions) {
          const query = { shown: [caller.keyId], leftOut: [], status: null, conditions, limit: 9, beforeId: null }
          const page = yield* orders.listed(query)
          expect(page.total).toBe(page.orders.length)
          return page.orders.map((one) => one.order.orderId)
        })
        expect(yield* found({ reference: "PO 1" })).toEqual(idsOf(ofLink, whole))
        expect(yield* found({ reference: "PO 2" })).toEqual(idsOf(ofLink))
        for (const unlike of ["PO", "po 1", "PO 1 ", ""]) expect(yield* found({ reference: unlike })).toEqual([])
        expect(yield* found({ siteId: site.siteId })).toEqual(idsOf(ofLink, whole))
        expect(yield* found({ siteId: other.siteId, reference: "PO 1" })).toEqual(idsOf(ofLink))
        expect(yield* found({ siteId: other.siteId })).toEqual(idsOf(none, ofLink))
      })
    )

    it.effect("bounds what a page with conditions examines, says how far it came, and goes on from there", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { caller } = yield* buyer(100_000)
        const { keyId } = yield* issueKeyTo({ accountId: caller.accountId })
        const site = yield* listSite()
        const placed: Array<Order> = []
        for (const [nth, key] of [0, 1, 0, 1, 1, 0, 0].map((at) => [caller.keyId, keyId][at] ?? "").entries()) {
          const items = linksOn(site).map((item) => ({ ...item, anchorText: nth % 3 === 0 ? "wanted" : "other" }))
          const made = (yield* order({ ...caller, keyId: KeyId.make(key) }, { items })).order
          if (made !== null) placed.unshift(made)
        }
        const wanted = placed.filter((_, nth) => (placed.length - 1 - nth) % 3 === 0).map(({ orderId }) => orderId)
        const read = (text: string, examine: number, limit = 5) =>
          Effect.gen(function* () {
            const pages: Array<OrderSearchPage> = []
            for (let beforeId: OrderId | null = null; ; ) {
              const search = { keyIds: [caller.keyId, keyId], statuses: OrderStatus.literals, conditions: { text } }
              const page: OrderSearchPage = yield* orders.ofKeys({ ...search, examine, limit, beforeId })
              pages.push(page)
              beforeId = page.nextBeforeId
              if (beforeId === null) return pages
            }
          })
        const ends = (pages: ReadonlyArray<OrderSearchPage>) =>
          pages.map(({ nextBeforeId, examinedToMs }) => [nextBeforeId, examinedToMs])
        for (const examine of [1, 2, 3, 6, 7, 8]) {
          const pages = yield* read("wanted", examine)
          expect(pages.flatMap((page) => page.orders.map((one) => one.order.orderId))).toEqual(wanted)
          const stops = placed.filter((_, nth) => (nth + 1) % examine === 0)
          expect(ends(pages)).toEqual([
            ...stops.map(({ orderId, createdAtMs }) => [orderId, createdAtMs]),
            [null, null]
          ])
          expect((yield* read("nowhere to be found", examine)).flatMap((page) => page.orders)).toEqual([])
        }
        // A full page ends at its last order, however many were examined.
        expect(ends(yield* read("wanted", 50, 1))).toEqual([
          [wanted[0], null],
          [wanted[1], null],
          [null, null]
        ])
        // A search without conditions examines nothing.
        const all = { keyIds: [caller.keyId, keyId], statuses: OrderStatus.literals, limit: 5, beforeId: null }
        expect(yield* orders.ofKeys({ ...all, examine: 1 })).toMatchObject({ examinedToMs: null })
      })
    )
  })
