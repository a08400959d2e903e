// What the operator reads of money that does not fit its quote, and of what became of it.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Payments } from "#core/usecases/ordering/Payments.ts"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { buyer, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { owing } from "#test/scenarios/OwingAccount.ts"
import { refusal, succeed } from "./RunCommand.ts"

/** A payment of 4.99 EUR or 4.99 USD that was set aside, and its quote. */
const setAside = Effect.fnUntraced(function* (paymentId: PaymentId, currency: string) {
  const { key } = yield* buyer()
  const { siteId } = yield* listSite()
  const quoteId = placedBy(yield* postOrder(key, { items: [item(siteId)] })).quote_id ?? QuoteId.make("")
  yield* (yield* Payments).settle({ paymentId, quoteId, amountCents: 499, currency })
  return quoteId
})

const because = ["--reason", "the bank took a fee"] as const

layer(operatorService(), { excludeTestServices: true })("operator payments", (it) => {
  it.effect("lists what is set aside, and records what became of it, once", () =>
    Effect.gen(function* () {
      expect(yield* succeed("payments")).toBe("No payment is set aside.")
      const quoteId = yield* setAside(PaymentId.make("pi_1"), "EUR")
      const inDollars = yield* setAside(PaymentId.make("pi_2"), "USD")
      const listed = yield* succeed("payments")
      expect(listed).toMatch(/^PAYMENT +FOR +AMOUNT +CAME +WRONG +OUTCOME$/m)
      expect(listed).toMatch(new RegExp(`^pi_1 +${quoteId} +4\\.99 EUR +\\S.* +amount +to be decided$`, "m"))
      expect(listed).toMatch(new RegExp(`^pi_2 +${inDollars} +4\\.99 USD +\\S.* +currency +to be decided$`, "m"))

      expect(yield* succeed("payments", "resolve", "pi_1", "credited", ...because)).toBe(
        `4.99 EUR for ${quoteId} were credited to its account.`
      )
      expect(yield* succeed("payments", "resolve", "pi_2", "refunded", ...because)).toBe(
        `4.99 USD for ${inDollars} are recorded as refunded.`
      )
      const decided = yield* succeed("payments")
      expect(decided).toMatch(/^pi_1 .*credited$/m)
      expect(decided).toMatch(/^pi_2 .*refunded$/m)
      expect(yield* refusal("payments", "resolve", "pi_1", "refunded", ...because)).toContain(
        "The payment pi_1 was credited before; nothing was written."
      )
      expect(yield* refusal("payments", "resolve", "pi_9", "refunded", ...because)).toContain(
        "No payment pi_9 is set aside."
      )
    })
  )

  it.effect("names accounts that owe something, as reconcile and the account's own page do", () =>
    Effect.gen(function* () {
      const { accountId } = yield* buyer()
      expect(yield* succeed("payments")).not.toContain(accountId)
      yield* owing(accountId, 1_250)
      const sentence = `${accountId} (Ada) owes 12.50 EUR of top-ups that were refunded or disputed.`
      expect(yield* succeed("payments")).toContain(sentence)
      const reconciled = yield* succeed("reconcile")
      expect(reconciled).toContain("All of it agrees.")
      expect(reconciled).toContain(sentence)
      expect(yield* succeed("account", "show", accountId)).toMatch(/owed, EUR +12\.50/)
    })
  )
})
