// What every store promises of idempotency keys: one quote per key, and one stored response.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { buyer, linksOn, listSite, placementOf, submitOrder } from "../ShopSetup.ts"
import { concurrently, countOutcomes, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { expectConsistentWallet, movements } from "../wallet/LedgerChecks.ts"
import { storeSessionOf } from "./OrderSteps.ts"

export const orderBookIdempotencySuite = (name: string, store: StoreLayer): void =>
  storeSuite(`OrderBook of ${name}: idempotency keys`, store, (it) => {
    it.effect("stores the response of one idempotency key, and of no other API key's key with the same text", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* buyer(), yield* buyer()]
        const items = linksOn(yield* listSite())
        const requests = [
          [one, "k"],
          [one, "another"],
          [other, "k"]
        ] as const
        const askAll = Effect.all(
          requests.map(([{ caller }, key]) => submitOrder(caller, { items, idempotency: { key, fingerprint: "f" } }))
        )
        const [first] = yield* askAll
        if (first !== undefined) yield* storeSessionOf(placementOf(first).quote)
        expect((yield* askAll).map(({ kind }) => kind)).toEqual(["replay", "resume", "resume"])
      })
    )

    it.effect(
      "100 concurrent requests for each of ten idempotency keys: one quote per key, paid or awaiting payment",
      () =>
        Effect.gen(function* () {
          const wallets = yield* Wallets
          const { account, caller } = yield* buyer(5 * 500)
          const site = yield* listSite()
          const sameKeyRequests = (index: number) =>
            concurrently(
              times(100, () =>
                submitOrder(caller, {
                  items: linksOn(site),
                  idempotency: { key: `key-${index}`, fingerprint: "the same body" }
                })
              )
            )
          const groups = yield* concurrently(times(10, sameKeyRequests))
          const quoteIds = groups.map((replies) => {
            const ids = replies.map((reply) =>
              reply.kind === "placed" ? reply.placement.quote.quoteId : reply.quoteId
            )
            expect(new Set(ids).size).toBe(1)
            expect(replies.filter(({ kind }) => kind === "placed")).toHaveLength(1)
            const bodies = replies.flatMap((reply) => (reply.kind === "replay" ? [reply.response.body] : []))
            expect(new Set(bodies).size).toBe(bodies.length === 0 ? 0 : 1)
            return ids[0]
          })
          expect(new Set(quoteIds).size).toBe(10)
          const kinds = groups.map((replies) => [...new Set(replies.map(({ kind }) => kind))].sort().join(" "))
          expect(countOutcomes(kinds.map(Result.succeed), (kind) => kind)).toEqual({
            "placed replay": 5,
            "placed resume": 5
          })
          expect(yield* wallets.dailyUsage(caller.keyId, utcDay(account.createdAtMs))).toMatchObject({ quotes: 10 })
          expect(yield* expectConsistentWallet(account.accountId)).toEqual({ balanceCents: 0, heldCents: 0 })
        })
    )

    it.effect("one idempotency key with two bodies at once: one body binds it, the other is refused", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(5_000)
        const site = yield* listSite()
        const body = (index: number) => `body ${index % 2}`
        const results = yield* concurrently(
          times(40, (index) => {
            const idempotency = { key: "k", fingerprint: body(index) }
            return Effect.result(submitOrder(caller, { items: linksOn(site), idempotency }))
          })
        )
        expect(countOutcomes(results, ({ kind }) => kind)).toEqual({ placed: 1, replay: 19, IdempotencyKeyReused: 20 })
        expect(yield* movements(caller.accountId)).toEqual(["top_up 5000", "capture 500"])
      })
    )
  })
