// The promo commands against a running service: effect, text and JSON.
import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { PromoRecord } from "#adapters/operator/records/CatalogueRecords.ts"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { buyer, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { runJson, succeed } from "./RunCommand.ts"

layer(operatorService(), { excludeTestServices: true })("promotion codes", (it) => {
  it.effect("promo define makes a code that takes off its share or amount, within its limits", () =>
    Effect.gen(function* () {
      expect(yield* succeed("promo", "define", "spring", "--percent", "12.50")).toBe("Code SPRING takes off 12.50 %.")
      const limits = ["--minimum-eur", "20.00", "--starts", "2026-01-01", "--ends", "2099-01-31T18:00:00Z"]
      yield* succeed(
        "promo",
        "define",
        "FIVE",
        "--eur",
        "5.00",
        ...limits,
        "--max-redemptions",
        "1",
        "--once-per-account"
      )
      const { key } = yield* buyer({ creditCents: 10_000 })
      const { siteId } = yield* listSite({ shelf: "Nautilus" })
      const answer = placedBy(yield* postOrder(key, { items: [item(siteId)], promo_code: "five" }))
      expect(answer.discount_eur).toBe(5)
      const again = yield* postOrder(key, { items: [item(siteId)], promo_code: "five" })
      expect(again.text).toContain("already_used")
    })
  )

  it.effect("promo list shows each code with its terms and uses", () =>
    Effect.gen(function* () {
      yield* succeed("promo", "define", "listed-1", "--percent", "12.50", "--minimum-eur", "20.00")
      yield* succeed("promo", "define", "listed-2", "--eur", "5.00", "--max-redemptions", "3", "--once-per-account")
      const { siteId } = yield* listSite()
      const poor = yield* buyer()
      placedBy(yield* postOrder(poor.key, { items: [item(siteId), item(siteId)], promo_code: "listed-2" }))
      const rich = yield* buyer({ creditCents: 10_000 })
      placedBy(yield* postOrder(rich.key, { items: [item(siteId), item(siteId)], promo_code: "listed-2" }))
      const shown = yield* succeed("promo", "list")
      expect(shown).toMatch(/^CODE +TAKES OFF +MINIMUM EUR +STARTS +ENDS +USED +RESERVED +AT MOST\n/)
      expect(shown).toMatch(/\nLISTED-1 +12\.50 % +20\.00 +0 +0\n/)
      expect(shown).toMatch(/\nLISTED-2 +5\.00 EUR +1 +1 +3, once an account/)
      const promos = yield* runJson(Schema.Array(PromoRecord), "promo", "list", "--limit", "500")
      expect(promos.find(({ code }) => code === "LISTED-2")).toStrictEqual({
        code: "LISTED-2",
        reduction: { kind: "fixed", cents: 500 },
        minimumCents: null,
        startsAtMs: null,
        endsAtMs: null,
        maxRedemptions: 3,
        oncePerAccount: true,
        redeemed: 1,
        reserved: 1
      })
      const [first, ...more] = yield* runJson(Schema.Array(PromoRecord), "promo", "list", "--limit", "1")
      expect([first?.code, more]).toStrictEqual([promos[0]?.code, []])
    })
  )
})
