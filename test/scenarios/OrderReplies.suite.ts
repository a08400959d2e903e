// What placing an order answers in the process: the placement beside the bytes of the response, in replays too.
import { Effect, Ref } from "effect"
import { expect } from "vitest"
import {
  canonicalOrder,
  comparedOrder,
  type OrderRequest,
  readOrder
} from "#adapters/contract/ordering/OrderRequest.ts"
import { ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import { ALL_SCOPES } from "#core/domain/access/ApiKey.ts"
import { PlaceOrder, type SubmittedOrder } from "#core/usecases/ordering/PlaceOrder.ts"
import { type Buyer, buyer, cart, freshKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { placedBy, postOrder, press, pricedBy } from "./HttpCalls.ts"
import { scenarios } from "./ScenarioSuite.ts"

const placeAs = Effect.fnUntraced(function* (
  { accountId, keyId }: Buyer,
  body: OrderRequest,
  binding: Pick<SubmittedOrder, "idempotencyKey" | "comparedBody">
) {
  const { place } = yield* PlaceOrder
  const caller = { accountId, keyId, mode: "live", scopes: ALL_SCOPES } as const
  const order = { caller, request: readOrder(body), canonicalBody: canonicalOrder(body), ...binding }
  const { findPlacement, ...reply } = yield* place(order)
  return { ...reply, placement: yield* findPlacement }
})

const oneLink = Effect.map(listSite(), ({ siteId }) => cart([item(siteId)]))

const answerIn = ({ status, body }: { readonly status: number; readonly body: string }) =>
  placedBy({ status, text: body, headers: new Headers() })

export const orderRepliesSuite = scenarios("the placement of an order", {}, (it) => {
  it.effect("is its order where credit covers it, and the same in a replay of the bytes", () =>
    Effect.gen(function* () {
      const body = yield* oneLink
      const who = yield* buyer({ creditCents: 10_000 })
      const idempotencyKey = freshKey()
      const first = yield* placeAs(who, body, { idempotencyKey })
      const { quote, order, links, dryRun } = first.placement
      expect([first.replayed, quote.status, dryRun, links.length]).toEqual([false, "paid", false, 1])
      expect(answerIn(first)).toMatchObject({ quote_id: quote.quoteId, order_id: order?.orderId })
      const again = yield* placeAs(who, body, { idempotencyKey })
      expect(again).toEqual({ ...first, replayed: true })
    })
  )

  it.effect("has the payment link of its quote, and in a replay after the payment the order that the bytes lack", () =>
    Effect.gen(function* () {
      const body = yield* oneLink
      const who = yield* buyer()
      const idempotencyKey = freshKey()
      const first = yield* placeAs(who, body, { idempotencyKey })
      const { quoteId, paymentUrl } = first.placement.quote
      expect(first.placement.order).toBeNull()
      expect(answerIn(first)).toMatchObject({ quote_id: quoteId, payment_url: paymentUrl })
      yield* press("pay", paymentUrl ?? "")
      const again = yield* placeAs(who, body, { idempotencyKey })
      expect([again.body, again.replayed]).toEqual([first.body, true])
      expect(again.placement.quote).toMatchObject({ quoteId, status: "paid" })
      expect(again.placement.order?.orderId).toBe(again.placement.quote.orderId)
    })
  )

  it.effect("is the same quote in a repeat without a key, and in one that resumes it", () =>
    Effect.gen(function* () {
      const body = yield* oneLink
      const who = yield* buyer()
      const { down } = yield* ProcessorFaults
      yield* Ref.set(down, true)
      const refused = yield* Effect.flip(
        placeAs(who, body, { idempotencyKey: null, comparedBody: comparedOrder(body) })
      )
      yield* Ref.set(down, false)
      const quoteId = refused._tag === "ProcessorUnavailable" ? refused.quoteId : undefined
      for (const _try of ["resumed", "replayed"]) {
        const { replayed, placement, ...bytes } = yield* placeAs(who, body, {
          idempotencyKey: null,
          comparedBody: comparedOrder(body)
        })
        expect([replayed, placement.quote.quoteId]).toEqual([true, quoteId])
        expect(answerIn(bytes)).toMatchObject({ quote_id: quoteId, payment_url: placement.quote.paymentUrl })
      }
    })
  )

  it.effect("of a dry run is what the order would be", () =>
    Effect.gen(function* () {
      const body = { ...(yield* oneLink), dry_run: true }
      const who = yield* buyer()
      const { placement, replayed } = yield* placeAs(who, body, { idempotencyKey: null })
      expect([placement.dryRun, placement.order, replayed]).toEqual([true, null, false])
      expect(pricedBy(yield* postOrder(who.key, body)).total_eur).toBe(placement.quote.totalCents / 100)
    })
  )
})
