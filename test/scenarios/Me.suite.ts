// What a client learns about its own credential: whose it is, what it may do, and what is left of its limits today.
import { Effect } from "effect"
import { expect } from "vitest"
import { Me } from "#adapters/contract/access/Me.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { FindById } from "#core/usecases/operations/FindById.ts"
import { type BuyerWish, buyer, cart, item, order } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { ME, postOrder, read, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { scenarios } from "./ScenarioSuite.ts"

const me = (key: string) => read(Me, key, ME)

const limited: BuyerWish = {
  limits: { maxOrderCents: 1_500, maxDayCents: 1_200, dailyOrderCap: 4, allowedDomains: ["brand.example"] }
}

export const meSuite = scenarios(
  "the caller's own credential",
  { SUPPORT_CONTACT: "help@shop.example", DAILY_ORDER_CAP: "20" },
  (it) => {
    it.effect("names account, key, limits and support contact", () =>
      Effect.gen(function* () {
        const who = yield* buyer(limited)
        const { account } = yield* (yield* FindById).account(who.accountId)
        const { key, ...rest } = yield* me(who.key)
        expect(rest).toEqual({
          ok: true,
          account: { account_id: who.accountId, name: account.name },
          open_quotes: [],
          support_contact: "help@shop.example",
          sandbox: false
        })
        expect(key).toEqual({
          key_id: who.keyId,
          kind: "key",
          label: "scenario",
          scopes: ["read", "order"],
          mode: "live",
          expires_at: null,
          paused: false,
          limits: {
            max_order_cents: 1_500,
            max_day_cents: 1_200,
            daily_order_cap: 4,
            allowed_domains: ["brand.example"],
            approve_above_cents: null,
            hold_look_alikes: false,
            always_allow: []
          },
          left_today: { orders: 4, cents: 1_200, resets_at: key.left_today.resets_at }
        })
        expect(Date.parse(key.left_today.resets_at) % 86_400_000).toBe(0)
      })
    )

    it.effect("a key without limits has the service's cap alone, and one that cannot order is told so", () =>
      Effect.gen(function* () {
        const { key } = yield* me((yield* buyer({ scopes: ["read"] })).key)
        expect(key.scopes).toEqual(["read"])
        expect(key.limits).toEqual({
          max_order_cents: null,
          max_day_cents: null,
          daily_order_cap: 20,
          allowed_domains: null,
          approve_above_cents: null,
          hold_look_alikes: false,
          always_allow: []
        })
        expect(key.left_today).toMatchObject({ orders: 20, cents: null })
        const uncapped = yield* me((yield* buyer({ limits: { dailyOrderCap: 0 } })).key)
        expect(uncapped.key.limits.daily_order_cap).toBeNull()
        expect(uncapped.key.left_today.orders).toBeNull()
      })
    )

    for (const mode of ["live", "sandbox"] as const) {
      it.effect(`what is left today agrees with what the next order may cost (${mode})`, () =>
        Effect.gen(function* () {
          const { advance } = yield* MovableClock
          const { siteId } = yield* listSite()
          const who = yield* buyer({ ...limited, mode })
          const first = yield* order(who, [item(siteId)])
          const second = yield* order(who, [item(siteId)])
          const { key, open_quotes } = yield* me(who.key)
          expect(key.left_today).toMatchObject({
            orders: 2,
            cents: 1_200 - first.total_eur * 100 - second.total_eur * 100
          })
          expect(open_quotes.map(({ quote_id }) => quote_id)).toEqual([second.quote_id, first.quote_id])
          const refusal = refusalIn(yield* postOrder(who.key, cart([item(siteId)])))
          expect(refusal.code).toBe("spend_policy_refused")
          yield* who.api.quotes.abandonQuote({ params: { id: first.quote_id ?? QuoteId.make("") } })
          const after = yield* me(who.key)
          expect(after.key.left_today).toMatchObject({ orders: 2, cents: 1_200 - second.total_eur * 100 })
          yield* advance("24 hours")
          const nextDay = yield* me(who.key)
          expect(nextDay.key.left_today).toMatchObject({ orders: 4, cents: 1_200 })
          expect(nextDay.open_quotes).toEqual([])
        })
      )
    }

    it.effect("a sandbox key sees its own mode", () =>
      Effect.gen(function* () {
        const { siteId } = yield* listSite()
        const live = yield* buyer()
        yield* order(live, [item(siteId)])
        const sandbox = yield* buyer({ mode: "sandbox" })
        expect(yield* me(sandbox.key)).toMatchObject({ sandbox: true, key: { mode: "sandbox" }, open_quotes: [] })
      })
    )
  }
)
