// Steps of the scenarios in which an agent changes links of its orders.
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { ChangeResponse } from "#adapters/contract/ordering/LinkChanges.ts"
import { OrderDetail } from "#adapters/contract/ordering/Orders.ts"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { type Buyer, buyer, cart, issueKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { call, type HttpResponse, ORDERS, placedBy, postOrder, read } from "./HttpCalls.ts"

const linkPath = (orderId: string, linkId: string): string => `${ORDERS}/${orderId}/links/${linkId}`

export interface Ordered {
  readonly orderId: string
  readonly linkId: string
}

export const change = (who: Pick<Buyer, "key">, { orderId, linkId }: Ordered, body: unknown, url = "") =>
  call("PATCH", `${url}${linkPath(orderId, linkId)}`, { key: who.key, body })

const readAnswer = Schema.decodeUnknownSync(Schema.fromJsonString(ChangeResponse), { onExcessProperty: "error" })

export const changedBy = (answer: HttpResponse) => {
  expect(answer.status, answer.text).toBe(200)
  return readAnswer(answer.text)
}

export const orderOf = (who: Buyer, orderId: string) => read(OrderDetail, who.key, `${ORDERS}/${orderId}`)

/** A link that waits for the operator. */
export const ordered = Effect.fnUntraced(function* (who: Buyer, over: Parameters<typeof item>[1] = {}) {
  const { siteId } = yield* listSite({ shelf: "Corail" })
  const { order_id: orderId = "" } = placedBy(yield* postOrder(who.key, cart([item(siteId, over)])))
  const { items } = yield* orderOf(who, orderId)
  return { orderId, linkId: items[0]?.link_id ?? LinkId.make("") }
})

/** An account that has no welcome offer any more. */
export const customer = Effect.fnUntraced(function* (wish: Parameters<typeof buyer>[0] = {}) {
  const who = yield* buyer({ creditCents: 50_000, ...wish })
  yield* ordered(wish.limits === undefined ? who : yield* issueKey(who.accountId))
  return who
})

/** A change that is not made yet. */
export const changing = Effect.gen(function* () {
  const who = yield* buyer({ creditCents: 3_000 })
  return { by: who, send: change(who, yield* ordered(who), { anchor_text: "another page" }) }
})
