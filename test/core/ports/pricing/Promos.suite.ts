// What every store promises of Promos: every code with its reduction, redemptions and reservations, page by page.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { type PromoPage, Promos } from "#core/ports/pricing/Promos.ts"
import { corruptQuote } from "../operations/CorruptBooks.ts"
import { abandon, pay } from "../ordering/OrderSteps.ts"
import { buyer, definePromo, linksOn, listSite, order, submitOrder } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

const pageAfter = Effect.fnUntraced(function* (afterCode: string | null, limit = 50, aheadMs = 0) {
  const nowMs = (yield* Clock.currentTimeMillis) + aheadMs
  return yield* (yield* Promos).page({ limit, afterCode, nowMs })
})

export const promosSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Promos of ${name}`, store, (it) => {
    it.effect("pages through codes in alphabetical order, none twice; without codes the page is empty", () =>
      Effect.gen(function* () {
        expect(yield* pageAfter(null)).toEqual({ promos: [], nextAfterCode: null })
        const defined = yield* Effect.all(times(7, (index) => definePromo({ maxRedemptions: index % 2 ? 5 : null })))
        const seen: Array<PromoPage["promos"][number]> = []
        let after: string | null = null
        do {
          const page: PromoPage = yield* pageAfter(after, 3)
          seen.push(...page.promos)
          after = page.nextAfterCode
        } while (after !== null)
        const expected = defined.map(({ redeemedBy: _, reservations: __, ...promo }) => ({ ...promo, reserved: 0 }))
        expect(seen).toEqual(expected.sort((a, b) => (a.code < b.code ? -1 : 1)))
      })
    )

    it.effect(
      "counts redemptions of paid orders and reservations of open quotes, for limited and unlimited codes",
      () =>
        Effect.gen(function* () {
          const site = yield* listSite()
          for (const maxRedemptions of [100, null]) {
            const { code } = yield* definePromo({ maxRedemptions })
            const figures = (aheadMs = 0) =>
              Effect.map(pageAfter(null, 50, aheadMs), ({ promos }) => {
                const found = promos.find((promo) => promo.code === code)
                return { redeemed: found?.redeemed, reserved: found?.reserved }
              })
            const wish = { items: linksOn(site), promoCode: code }
            yield* order((yield* buyer(10_000)).caller, wish)
            expect(yield* figures()).toEqual({ redeemed: 1, reserved: 0 })
            const [first, second] = yield* Effect.all(
              times(2, () => Effect.flatMap(buyer(), ({ caller }) => order(caller, wish)))
            )
            expect(yield* figures()).toEqual({ redeemed: 1, reserved: 2 })
            expect(yield* figures(1_000 * 86_400_000)).toEqual({ redeemed: 1, reserved: 0 })
            if (first !== undefined) yield* pay(first.quote)
            if (second !== undefined) yield* abandon(second.quote, "human")
            expect(yield* figures()).toEqual({ redeemed: 2, reserved: 0 })
          }
        })
    )

    it.effect("releases the reservation of one quote, and neither another quote's nor a redemption", () =>
      Effect.gen(function* () {
        const { code } = yield* definePromo({ maxRedemptions: 9 })
        const wish = { items: linksOn(yield* listSite()), promoCode: code }
        const { caller } = yield* buyer(500)
        const { quote: paid } = yield* order(caller, wish)
        const { quote: open } = yield* order(caller, wish)
        yield* order(caller, wish)
        const { quoteId, accountId } = paid
        const released = { _tag: "PromoReleased" as const, code, quoteId, accountId }
        for (const giveBack of [abandon(open, "agent"), corruptQuote(quoteId, () => [released])]) {
          yield* giveBack
          const found = (yield* pageAfter(null)).promos.find((promo) => promo.code === code)
          expect(found).toMatchObject({ redeemed: 1, reserved: 1 })
        }
        yield* definePromo({ code, maxRedemptions: 2 })
        expect(yield* Effect.flip(submitOrder(caller, wish))).toMatchObject({ reason: "exhausted" })
      })
    )

    it.effect("a limit set later counts earlier redemptions and reservations", () =>
      Effect.gen(function* () {
        const { code } = yield* definePromo()
        const wish = { items: linksOn(yield* listSite()), promoCode: code }
        const poor = yield* Effect.all(times(2, () => buyer()))
        const buy = Effect.flatMap(buyer(10_000), ({ caller }) => submitOrder(caller, wish))
        yield* buy
        const [first, second] = yield* Effect.all(poor.map(({ caller }) => order(caller, wish)))
        yield* definePromo({ code, maxRedemptions: 3 })
        expect(yield* Effect.flip(buy)).toMatchObject({ reason: "exhausted" })
        if (first !== undefined) yield* pay(first.quote)
        if (second !== undefined) yield* abandon(second.quote, "human")
        yield* buy
        expect(yield* Effect.flip(buy)).toMatchObject({ reason: "exhausted" })
      })
    )
  })
