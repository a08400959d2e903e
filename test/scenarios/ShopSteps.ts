// Orders that a member places in the Shop.
import { Effect } from "effect"
import { readOrder } from "#adapters/contract/ordering/OrderRequest.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { PlaceOrder } from "#core/usecases/ordering/PlaceOrder.ts"
import { WebShop } from "#core/usecases/ordering/WebShop.ts"
import { cart, freshKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"

/** One link, which the account's credit covers. */
export const buyInShop = Effect.fnUntraced(function* (owner: SignedIn) {
  const { siteId } = yield* listSite()
  const request = readOrder(cart([item(siteId, { target_url: "https://shop.example/" })]))
  const caller = yield* (yield* WebShop).callerOf(owner)
  const idempotencyKey = freshKey()
  const { place } = yield* PlaceOrder
  const { findPlacement } = yield* place({ caller, request, canonicalBody: idempotencyKey, idempotencyKey })
  const { order } = yield* findPlacement
  if (order === null) throw new Error("credit covers it")
  return order
})
