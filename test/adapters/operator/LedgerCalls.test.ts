// The ledger of an account over the operator plane.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { cart, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { customer, operatorClient, operatorService } from "./OperatorService.ts"

layer(operatorService(), { excludeTestServices: true })("the ledger", (it) => {
  it.effect("shows what an order took from credit: at once as one capture, of an open quote as hold and capture", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient()
      const site = yield* listSite()
      const { accountId, key } = yield* customer(client, 700)
      const covered = placedBy(yield* postOrder(key, cart([item(site.siteId)])))
      const quoteId = placedBy(yield* postOrder(key, cart([item(site.siteId)]))).quote_id ?? QuoteId.make("")
      yield* client.payQuote({ quoteId })
      const { entries } = yield* client.readLedger({ accountId, limit: 5 })
      expect(entries).toMatchObject([
        { kind: "capture", amountCents: 200, heldDeltaCents: -200, quoteId },
        { kind: "hold", amountCents: 200, heldDeltaCents: 200, quoteId },
        { kind: "capture", amountCents: 500, heldDeltaCents: 0, quoteId: covered.quote_id, orderId: covered.order_id },
        { kind: "top_up", amountCents: 700 }
      ])
    })
  )
})
