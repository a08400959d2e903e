// One key is paused or expires while its agent and others of the account work: no order after the answer or the time, on any instance; what
// ends with a key ends, and what was refused is told to the owner.
import { Clock, Deferred, Effect, Fiber, Schedule } from "effect"
import { expect } from "vitest"
import { MAX_ACTIVE_KEYS, noLimits } from "#core/domain/access/ApiKey.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { EndExpiredKeys } from "#core/usecases/access/EndExpiredKeys.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { ViewAgents } from "#core/usecases/members/ViewAgents.ts"
import { NoteRefusals } from "#core/usecases/shared/NoteRefusals.ts"
import { openAccount, visit } from "#test/adapters/web/Visitors.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, quotesOf } from "../core/BookReads.ts"
import { by, cart, clientOf, freshKey, issueKey, item, topUp } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, ME, placedBy, postOrder, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService, untilBooks } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const HOUR_MS = 3_600_000

/** More than there are instances, so that each is asked. */
const EACH = 6

export const endedKeysSuite = scenarios("paused and expired keys", {}, (it) => {
  it.effect("one key is paused under load: none of its orders comes after the answer, and the others go on", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { owner: token, account } = yield* openAccount
      const { accountId } = account
      const { siteId } = yield* listSite()
      yield* topUp(accountId, 200_000)
      const [paused, other] = [yield* issueKey(accountId), yield* issueKey(accountId)]
      const underLoad = yield* Deferred.make<void>()
      let [begun, isPaused, late] = [0, false, 0]
      const orderOn = Effect.fnUntraced(function* () {
        for (;;) {
          const wasPaused = isPaused
          if (++begun === 40) yield* Deferred.succeed(underLoad, undefined)
          const answer = yield* postOrder(paused.key, cart([item(siteId)]), freshKey())
          if (answer.status === 201 && wasPaused) late++
          if (answer.status !== 201) return refusalIn(answer)
        }
      })
      const crowd = yield* Effect.forkChild(concurrently(times(16, orderOn)))
      yield* Deferred.await(underLoad)
      const pause = yield* visit({ method: "POST", path: `/account/agents/${paused.keyId}/pause`, token })
      isPaused = true
      const atOnce = quotesOf(yield* books, paused).length
      expect(pause.status).toBe(303)
      const refusals = yield* Fiber.join(crowd)
      expect(countEach(refusals.map(({ code, details }) => `${code} ${details?.["rule"]}`))).toEqual({
        "spend_policy_refused paused": 16
      })
      expect([late, quotesOf(yield* books, paused).length]).toEqual([0, atOnce])
      for (const _ of times(EACH, () => 0)) placedBy(yield* postOrder(other.key, cart([item(siteId)]), freshKey()))
      const me = JSON.parse((yield* call("GET", ME, { key: paused.key })).text)
      expect(me.key).toMatchObject({ paused: true, expires_at: null })
      const resumed = yield* visit({ method: "POST", path: `/account/agents/${paused.keyId}/resume`, token })
      expect(resumed.status).toBe(303)
      placedBy(yield* postOrder(paused.key, cart([item(siteId)]), freshKey()))
      yield* expectConsistentBooks
    })
  )

  it.effect(
    "a key expires: 401 on every instance, its place is free, and its webhook and its question end with it",
    () =>
      Effect.gen(function* () {
        const { port } = yield* RunningService
        const { advance } = yield* MovableClock
        const { account } = yield* openAccount
        const { accountId } = account
        const { siteId } = yield* listSite()
        yield* topUp(accountId, 10_000)
        const expiresAtMs = (yield* Clock.currentTimeMillis) + HOUR_MS
        const limits = { ...noLimits, approveAboveCents: 1_000 }
        const { issue } = yield* Credentials
        const wish = { accountId, mode: "live" as const, label: "Claude", scopes: ["read", "order"] as const, limits }
        const made = yield* issue({ ...wish, expiresAtMs }, by)
        const who = yield* clientOf(made.key, made.text)
        yield* Effect.all(times(MAX_ACTIVE_KEYS - 1, () => issueKey(accountId)))
        const hook = { url: `http://127.0.0.1:${port}/healthz`, events: ["order.accepted"] as const }
        yield* who.api.webhooks.createWebhook({ payload: hook })
        placedBy(yield* postOrder(who.key, cart([item(siteId)])))
        const waiting = placedBy(yield* postOrder(who.key, cart(times(3, () => item(siteId)))))
        expect(waiting.status).toBe("awaiting_approval")
        const me = JSON.parse((yield* call("GET", ME, { key: who.key })).text)
        expect(me.key.expires_at).toBe(new Date(expiresAtMs).toISOString())
        yield* advance("1 hour")
        // The instances ask the store twice a second.
        yield* Effect.repeat(call("GET", ME, { key: who.key }), {
          until: ({ status }) => status === 401,
          schedule: Schedule.spaced("20 millis")
        })
        yield* Effect.sleep("500 millis")
        for (const _ of times(EACH, () => 0)) {
          const refused = refusalIn(yield* call("GET", ME, { key: who.key }))
          expect(refused).toMatchObject({ code: "expired_api_key", status: 401, recovery: "human" })
          expect(refused.message).toMatch(/expired/)
        }
        expect((yield* postOrder(who.key, cart([item(siteId)]))).status).toBe(401)
        yield* issueKey(accountId)
        yield* (yield* EndExpiredKeys).pass
        yield* untilBooks((now) =>
          quotesOf(now, who).every(
            ({ status, abandonedBy }) => status === "paid" || (status === "abandoned" && abandonedBy === "human")
          )
        )
        const { books } = yield* RunningService
        const webhooks = [...(yield* books).subscriptions].map(([, one]) => one)
        expect(
          webhooks.filter((one) => one.keyId === who.keyId).map(({ revokedAtMs }) => revokedAtMs !== null)
        ).toEqual([true])
        yield* expectConsistentBooks
      })
  )

  it.effect("what limits refuse is told to the owner by rule, with the last target, and not what is only priced", () =>
    Effect.gen(function* () {
      const { account } = yield* openAccount
      const { accountId } = account
      const { siteId } = yield* listSite()
      yield* topUp(accountId, 10_000)
      const limits = { maxOrderCents: 1_100, maxDayCents: 1_200, dailyOrderCap: 2, allowedDomains: ["brand.example"] }
      const { key, keyId } = yield* issueKey(accountId, { limits })
      const at = (target_url: string) => item(siteId, { target_url })
      const refused = (rule: string, status: number, body: object) =>
        Effect.map(postOrder(key, body), (answer) => {
          expect([rule, answer.status], answer.text).toEqual([rule, status])
        })
      const brand = at("https://brand.example/")
      yield* refused("dry run", 403, { ...cart([brand, brand, brand]), dry_run: true })
      yield* concurrently(times(3, () => refused("max_order_cents", 403, cart([brand, brand, brand]))))
      yield* refused("allowed_domains", 403, cart([at("https://other.example/")]))
      placedBy(yield* postOrder(key, cart([brand])))
      yield* refused("max_day_cents", 403, cart([at("https://shop.brand.example/"), brand]))
      placedBy(yield* postOrder(key, cart([at("https://brand.example/two")])))
      yield* refused("daily_order_cap", 429, cart([brand]))
      yield* (yield* Credentials).pause(keyId, true, by)
      yield* refused("paused", 403, cart([brand]))
      yield* (yield* NoteRefusals).write
      const { active } = yield* ViewAgents
      const seen = Effect.map(Effect.flatMap((yield* ViewAccount).keys(accountId), active), (agents) =>
        (agents.find((one) => one.key.keyId === keyId)?.report.refusedToday ?? []).toSorted((one, other) =>
          one.rule < other.rule ? -1 : 1
        )
      )
      // Each instance notes what it refused itself, and writes it by itself.
      const told = yield* Effect.repeat(seen, {
        until: (all) => all.reduce((sum, { count }) => sum + count, 0) === 7,
        schedule: Schedule.spaced("200 millis")
      })
      expect(told.map(({ rule, count, lastTarget, lastCents }) => [rule, count, lastTarget, lastCents])).toEqual([
        ["allowed_domains", 1, "other.example", null],
        ["daily_order_cap", 1, "brand.example", null],
        ["max_day_cents", 1, "shop.brand.example", null],
        ["max_order_cents", 3, "brand.example", 1_500],
        ["paused", 1, "brand.example", null]
      ])
    })
  )
})
