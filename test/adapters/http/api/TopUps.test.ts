// The address at which a human tops up, as an agent asks for it: bounded, stored nowhere, absent where no human can pay there.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { buyer, issueKey } from "#test/scenarios/Buyers.ts"
import { call, refusalIn } from "#test/scenarios/HttpCalls.ts"
import { RunningService, layer as shop } from "#test/scenarios/RunningService.ts"

const topUp = (amount: string, key: string) => call("GET", `/api/v1/agent/top-up?amount_eur=${amount}`, { key })

layer(shop(), { excludeTestServices: true })("GET /top-up", (it) => {
  it.effect("answers the page with the amount, and stores and charges nothing", () =>
    Effect.gen(function* () {
      const { url, books } = yield* RunningService
      const { accountId } = yield* buyer()
      const { key } = yield* issueKey(accountId, { scopes: ["read"] })
      const before = yield* books
      for (const [amount, eur, shown] of [
        ["50", 50, "50.00"],
        ["12.5", 12.5, "12.50"],
        ["5", 5, "5.00"],
        ["5000.00", 5_000, "5000.00"]
      ] as const) {
        const page = `${url.replace("127.0.0.1", "localhost")}/account/credit/top-ups?amount_eur=${shown}`
        expect(JSON.parse((yield* topUp(amount, key)).text)).toStrictEqual({
          ok: true,
          amount_eur: eur,
          top_up_url: page,
          tell_user: `Please open ${page}, sign in as an owner of the account and pay ${shown} EUR: it becomes credit at once. Nothing is charged before you pay there.`,
          sandbox: false
        })
      }
      expect(yield* books).toBe(before)
    })
  )

  it.effect("refuses an amount that the page would refuse", () =>
    Effect.gen(function* () {
      const { key } = yield* buyer()
      for (const amount of ["4.99", "5000.01", "12.345", "0", "-5", "1e2", "", "ten"]) {
        const { code, param, message } = refusalIn(yield* topUp(amount, key))
        expect([amount, code, param]).toEqual([amount, "validation_failed", "amount_eur"])
        expect(message).toBeTypeOf("string")
      }
      const none = yield* call("GET", "/api/v1/agent/top-up", { key })
      expect(refusalIn(none)).toMatchObject({ code: "validation_failed", param: "amount_eur" })
    })
  )

  it.effect("has no page for the sandbox", () =>
    Effect.gen(function* () {
      const { key } = yield* buyer({ mode: "sandbox" })
      expect(JSON.parse((yield* topUp("50", key)).text)).toMatchObject({
        top_up_url: null,
        tell_user: expect.stringMatching(/^There is nothing to pay: this is the sandbox/),
        sandbox: true
      })
    })
  )
})

layer(shop({ MEMBERS: "off", SUPPORT_CONTACT: "pay@shop.example" }), { excludeTestServices: true })(
  "GET /top-up where people do not sign in",
  (it) => {
    it.effect("names who tops up", () =>
      Effect.gen(function* () {
        const { key } = yield* buyer()
        expect(JSON.parse((yield* topUp("50", key)).text)).toMatchObject({
          top_up_url: null,
          tell_user: expect.stringContaining("please ask pay@shop.example for 50.00 EUR")
        })
      })
    )
  }
)
