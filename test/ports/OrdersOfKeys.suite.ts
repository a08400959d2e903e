// What every store promises of the orders of several keys: one list, newest first, that can be searched.
import { Effect } from "effect"
import { expect } from "vitest"
import type { OrderStatus } from "#core/domain/Order.ts"
import { type OrderPage, Orders } from "#core/ports/Orders.ts"
import { buyer, issueKeyTo, linksOn, listSite, order } from "./ShopSetup.ts"
import { type StoreLayer, storeSuite } from "./StoreSuite.ts"

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
            placed.unshift((yield* order({ ...caller, keyId: key }, { items })).order?.orderId ?? "")
          }
          const keyIds = [caller.keyId, keyId]
          const statuses: ReadonlyArray<OrderStatus> = ["paid", "in_progress", "completed", "cancelled"]
          const seen: Array<string> = []
          let beforeId: string | null = null
          do {
            const page: Omit<OrderPage, "total"> = yield* orders.ofKeys({ keyIds, statuses, limit: 3, beforeId })
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
          const some = { statuses: ["completed"] as const, limit: 9, beforeId: null }
          expect(yield* orders.ofKeys({ keyIds, ...some })).toEqual({ orders: [], nextBeforeId: null })
          expect(yield* orders.ofKeys({ keyIds: [], ...some, statuses })).toEqual({ orders: [], nextBeforeId: null })
        })
    )
  })
