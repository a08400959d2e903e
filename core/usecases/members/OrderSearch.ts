// The search in the orders of an account: newest first, a bounded number examined for each page, and one by its whole id however old it is.
import { Effect } from "effect"
import { meetsConditions, type OrderConditions, OrderStatus, orderStatus } from "#core/domain/ordering/Order.ts"
import { type Mode, makeId } from "#core/domain/shared/DecisionContext.ts"
import { type AccountId, type KeyId, OrderId } from "#core/domain/shared/Ids.ts"
import { isTooOld, startBefore } from "#core/domain/shared/IdTimes.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { type OrderSearchPage, Orders } from "#core/ports/ordering/Orders.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import { keyIdsIn } from "../shared/AccountKeys.ts"

export interface OrderSearch extends PageRequest<OrderId> {
  readonly accountId: AccountId
  readonly mode: Mode
  /** One key or connection alone. */
  readonly keyId?: KeyId
  readonly status?: OrderStatus
  readonly conditions: OrderConditions
}

const ORDER_ID = /^ord_(?:test_)?[0-9a-z]{28}$/

/** Behind the orders that are too new for the conditions. */
const startOf = ({ mode, conditions: { createdToMs }, beforeId }: OrderSearch): OrderId | null =>
  startBefore(beforeId, createdToMs, (idPrefix) => makeId("ord_", mode, idPrefix, 0))

/** Ends a search where all that follows is too old for the conditions. */
const endIfTooOld = (page: OrderSearchPage, { createdFromMs }: OrderConditions): OrderSearchPage =>
  isTooOld(page.examinedToMs, createdFromMs) ? { orders: page.orders, nextBeforeId: null, examinedToMs: null } : page

/** Newest first. A key of another account has none. */
export const orderSearch = Effect.gen(function* () {
  const apiKeys = yield* ApiKeys
  const orders = yield* Orders

  /** The order that a text names by its whole id, however old it is. */
  const named = Effect.fnUntraced(function* ({ accountId, mode, keyId, status, conditions }: OrderSearch) {
    const { text = "", ...others } = conditions
    const found = ORDER_ID.test(text) ? yield* orders.byId(OrderId.make(text)) : null
    if (found === null || found.order.accountId !== accountId || found.order.mode !== mode) return null
    const isShown =
      (keyId === undefined || found.order.keyId === keyId) &&
      (status === undefined || orderStatus(found.links) === status) &&
      meetsConditions(found, others)
    return isShown ? found : null
  })

  const search = Effect.fnUntraced(function* (query: OrderSearch) {
    const one = yield* named(query)
    if (one !== null) return { orders: [one], nextBeforeId: null, examinedToMs: null }
    const { accountId, mode, keyId, status, conditions, limit } = query
    const inMode = keyIdsIn(yield* apiKeys.ofAccount(accountId), mode)
    const keyIds = keyId === undefined ? inMode : inMode.filter((one) => one === keyId)
    const statuses = status === undefined ? OrderStatus.literals : [status]
    const page = yield* orders.ofKeys({ keyIds, statuses, conditions, limit, beforeId: startOf(query) })
    return endIfTooOld(page, conditions)
  })

  return search
})
