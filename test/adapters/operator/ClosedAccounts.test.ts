// Editing, noting and closing an account over the operator plane: its open quote is abandoned, its key and hold end, its credit stays.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { cart, item } from "#test/scenarios/Buyers.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { customer, listedSite, operatorClient, operatorService } from "./OperatorService.ts"

layer(operatorService(), { excludeTestServices: true })("an account", (it) => {
  it.effect("is edited and closed by an operator", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient()
      const site = yield* listedSite()
      const { accountId, key } = yield* customer(client, 100)
      yield* client.editAccount({ accountId, name: "Ada & Co", note: "pays late" })
      const placed = placedBy(yield* postOrder(key, cart([item(site.siteId)])))
      expect((yield* client.showAccount({ accountId })).account.wallet).toEqual({ balanceCents: 100, heldCents: 100 })
      const closed = yield* client.closeAccount({ accountId, reason: "asked for" })
      expect(closed).toMatchObject({ account: { name: "Ada & Co", note: "pays late" }, abandoned: 1, kept: [] })
      const { account, keys } = yield* client.showAccount({ accountId })
      expect(account).toMatchObject({ wallet: { balanceCents: 100, heldCents: 0 } })
      expect(keys.every(({ key: { revokedAtMs } }) => revokedAtMs !== null)).toBe(true)
      expect((yield* client.showQuote({ quoteId: placed.quote_id ?? QuoteId.make("") })).quote.status).toBe("abandoned")
      expect((yield* postOrder(key, cart([item(site.siteId)]))).status).toBe(401)
      expect(yield* client.closeAccount({ accountId, reason: "again" })).toMatchObject({ abandoned: 0 })
    })
  )
})
