// `account edit`, `account billing`, `account confirm-vat`: what is on the invoices of an account.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { buyer } from "#test/scenarios/Buyers.ts"
import { refusal, succeed } from "./RunCommand.ts"

const FIRST = ["--billing-name", "Garden Tools GmbH", "--address", "Gartenweg 7|10115 Berlin", "--country", "DE"]

layer(operatorService(), { excludeTestServices: true })("billing identity on the command line", (it) => {
  it.effect("is written as a whole, then flag by flag", () =>
    Effect.gen(function* () {
      const { accountId } = yield* buyer()
      expect(yield* succeed("account", "billing", accountId)).toContain("to a consumer by the account's name")
      expect(yield* refusal("account", "edit", accountId, "--vat-id", "DE136695976")).toContain(
        "needs --billing-name, --address, --country too"
      )
      expect(yield* refusal("account", "edit", accountId)).toContain("Nothing is to be changed")
      expect(yield* succeed("account", "edit", accountId, ...FIRST)).toContain("address    Gartenweg 7, 10115 Berlin")
      const withId = yield* succeed("account", "edit", accountId, "--vat-id", "de 136695976", "--reference", "PO 1")
      expect(withId).toMatch(/VAT id +DE136695976 \(not confirmed\)\nreference +PO 1/)
      expect(withId).toContain("Garden Tools GmbH")
      expect(yield* succeed("account", "edit", accountId, "--reference", "")).toMatch(/reference +none/)
      expect(yield* refusal("account", "edit", accountId, "--vat-id", "DE136695977")).toContain("check digits")
      expect(yield* succeed("account", "edit", accountId, "--name", "Ben")).toContain("is named Ben")
    })
  )

  it.effect("has a VAT id that is confirmed only as it was looked at", () =>
    Effect.gen(function* () {
      const { accountId } = yield* buyer()
      yield* succeed("account", "edit", accountId, ...FIRST, "--vat-id", "DE136695976")
      const confirm = ["account", "confirm-vat", accountId, "--vat-id"]
      expect(yield* refusal(...confirm, "DE129273398")).toContain("has the VAT id DE136695976; nothing was done")
      expect(yield* succeed(...confirm, "DE136695976")).toContain("is confirmed")
      expect(yield* succeed("account", "billing", accountId)).toContain("DE136695976 (confirmed)")
      yield* succeed("account", "edit", accountId, "--country", "AT", "--vat-id", "ATU12345675")
      expect(yield* succeed("account", "billing", accountId)).toContain("ATU12345675 (not confirmed)")
      yield* succeed(...confirm, "ATU12345675")
      expect(yield* succeed(...confirm, "ATU12345675", "--withdraw")).toContain("no longer confirmed")
      expect(yield* refusal("account", "confirm-vat", "acc_none", "--vat-id", "X")).toContain("no account acc_none")
    })
  )
})
