// Orders whose links wait for the operator, and calls that cancel them.
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { OrderCancelled } from "#adapters/contract/ordering/Cancelling.ts"
import { OrderDetail } from "#adapters/contract/ordering/Orders.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { ledgerOf } from "../core/BookReads.ts"
import { type Buyer, cart, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { call, type HttpResponse, ORDERS, placedBy, postOrder, read } from "./HttpCalls.ts"

export const cancelPath = (orderId: string): string => `${ORDERS}/${orderId}/cancel`

export const cancel = (who: Pick<Buyer, "key">, orderId: string, linkIds?: ReadonlyArray<string>, url = "") =>
  call("POST", `${url}${cancelPath(orderId)}`, {
    key: who.key,
    ...(linkIds === undefined ? {} : { body: { link_ids: linkIds } })
  })

const ONLY = { only: "cancellable" }

export const cancelOnly = (who: Pick<Buyer, "key">, orderId: string, linkIds?: ReadonlyArray<string>, url = "") =>
  call("POST", `${url}${cancelPath(orderId)}`, {
    key: who.key,
    body: linkIds === undefined ? ONLY : { ...ONLY, link_ids: linkIds }
  })

export const cancelledIn = ({ status, text }: HttpResponse) => {
  expect(status, text).toBe(200)
  return Schema.decodeUnknownSync(Schema.fromJsonString(OrderCancelled))(text)
}

export const orderOf = (who: Buyer, orderId: string) => read(OrderDetail, who.key, `${ORDERS}/${orderId}`)

/** Links that wait for the operator. */
export const ordered = Effect.fnUntraced(function* (who: Buyer, links: number) {
  const { siteId } = yield* listSite({ shelf: "Corail" })
  const { order_id = "" } = placedBy(yield* postOrder(who.key, cart(times(links, () => item(siteId)))))
  const { items } = yield* orderOf(who, order_id)
  expect(items.map(({ status }) => status)).toEqual(times(links, () => "to_assign"))
  return { orderId: order_id, items, linkIds: items.map(({ link_id }) => link_id) }
})

export const recredits = (books: Parameters<typeof ledgerOf>[0], accountId: AccountId, orderId: string) =>
  ledgerOf(books, accountId).filter((entry) => entry.kind === "recredit" && entry.orderId === orderId)

export const ROUNDS = 20
