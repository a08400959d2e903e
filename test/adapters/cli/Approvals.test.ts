// What waits for approval, by command line: listed, approved, declined and abandoned for its human.
import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { Quote } from "#adapters/operator/records/OrderRecords.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { buyer, cart, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { refusal, runJson, succeed } from "./RunCommand.ts"

layer(operatorService(), { excludeTestServices: true })("approvals", (it) => {
  it.effect("quote waiting, approve, decline and abandon", () =>
    Effect.gen(function* () {
      const who = yield* buyer({ creditCents: 10_000, limits: { approveAboveCents: 0 } })
      const ask = Effect.gen(function* () {
        const { siteId } = yield* listSite()
        return placedBy(yield* postOrder(who.key, cart([item(siteId)]))).quote_id ?? QuoteId.make("")
      })
      const [first, second, third] = [yield* ask, yield* ask, yield* ask]
      const listed = runJson(Schema.Struct({ quotes: Schema.Array(Quote) }), "quote", "waiting")
      expect((yield* listed).quotes.map(({ quoteId }) => quoteId)).toEqual([first, second, third])
      expect(yield* succeed("quote", "waiting")).toMatch(/^QUOTE +ACCOUNT +KEY +TOTAL EUR[\s\S]* 5\.00 /)
      expect(yield* succeed("quote", "show", first)).toMatch(/status +awaiting_approval/)
      expect(yield* succeed("quote", "approve", first)).toMatch(/is paid now: order ord_/)
      expect(yield* succeed("quote", "decline", second, "--reason", "Too dear.")).toContain("is abandoned now")
      expect(yield* succeed("quote", "show", second)).toMatch(/declined +Too dear\./)
      expect((yield* runJson(Quote, "quote", "abandon", third)).status).toBe("abandoned")
      expect(yield* succeed("quote", "waiting")).toBe("No quote waits for approval.")
      expect(yield* refusal("quote", "approve", third)).toContain("(quote_not_open)")
    })
  )
})
