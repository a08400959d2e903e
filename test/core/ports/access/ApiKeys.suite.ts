// What every store promises of ApiKeys: a key is found by its hash, revoked or not; an account's keys are listed oldest first.
import { Clock, Effect, Schedule } from "effect"
import { expect } from "vitest"
import { expireKey, limitKey, pauseKey, revokeKey, rotateKey } from "#core/decisions/access/Keys.ts"
import { AccountId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { actor, buyer, issueKeyTo } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

export const apiKeysSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`ApiKeys of ${name}`, store, (it) => {
    it.effect("finds a key by its hash, and no key by another hash", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const limits = {
          ...{ maxOrderCents: 1, maxDayCents: 2, dailyOrderCap: 3, allowedDomains: ["brand.example"] },
          ...{ approveAboveCents: 0, holdLookAlikes: true, alwaysAllow: [] }
        }
        const { key } = yield* buyer(0, { limits, scopes: ["read"], mode: "sandbox", label: "clé 🔑" })
        yield* buyer()
        expect(yield* keys.byHash(key.hash)).toEqual(key)
        expect(yield* keys.byHash(`${key.hash}0`)).toBeNull()
      })
    )

    it.effect("finds a revoked key with its time of revocation and its current limits", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const book = yield* OrderBook
        const { key } = yield* buyer()
        const { keyId } = key
        const limits = {
          ...{ maxOrderCents: 500, maxDayCents: 900, dailyOrderCap: 4, allowedDomains: ["brand.example"] },
          ...{
            ...{ approveAboveCents: 250, holdLookAlikes: true },
            alwaysAllow: [{ domain: "brand.example", upToCents: 700 }]
          }
        }
        expect(yield* keys.byHash(key.hash)).toEqual(key)
        yield* book.transact({ _tag: "ForKey", keyId }, limitKey(keyId, limits, actor))
        expect(yield* keys.byHash(key.hash)).toEqual({ ...key, limits })
        const revoked = yield* book.transact({ _tag: "ForKey", keyId }, revokeKey(keyId, actor))
        expect(revoked.revokedAtMs).toBeGreaterThanOrEqual(key.createdAtMs)
        expect(yield* keys.byHash(key.hash)).toEqual(revoked)
      })
    )

    it.effect("finds a rotated key by its present and by its former texts, as soon as it is committed", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const book = yield* OrderBook
        const { key, account } = yield* buyer()
        const { keyId, hash, prefix } = key
        const rotate = (text: string) =>
          book.transact(
            { _tag: "ForKey", keyId },
            rotateKey({ keyId, now: false, hash: text, prefix, lastFour: text.slice(-4), actor })
          )
        expect(yield* keys.byHash(hash)).toEqual(key)
        const [second, third] = [`${hash}-2`, `${hash}-3`]
        const once = yield* rotate(second)
        expect(yield* keys.byHash(hash)).toEqual(once)
        const twice = yield* rotate(third)
        for (const text of [hash, second, third]) expect(yield* keys.byHash(text)).toEqual(twice)
        expect(twice?.former?.map((text) => text.hash)).toEqual([second, hash])
        expect(yield* keys.byHash(`${hash}-4`)).toBeNull()
        const listed = yield* keys.ofAccount(account.accountId)
        expect(listed.find((one) => one.key.keyId === keyId)?.key).toEqual(twice)
      })
    )

    it.effect("shows that a key has expired within half a second of its time, and lists it until it is ended", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const book = yield* OrderBook
        const { account } = yield* buyer()
        const { accountId } = account
        const [soon, later] = [
          yield* issueKeyTo({ accountId, expiresAtMs: (yield* Clock.currentTimeMillis) + 300 }),
          yield* issueKeyTo({ accountId, expiresAtMs: (yield* Clock.currentTimeMillis) + 600_000 })
        ]
        const { keyId, hash } = soon
        expect(yield* keys.byHash(hash)).toEqual(soon)
        yield* Effect.repeat(keys.byHash(hash), {
          until: (found) => found?.hasExpired === true,
          schedule: Schedule.spaced("10 millis")
        })
        expect(yield* Clock.currentTimeMillis).toBeLessThan((soon.expiresAtMs ?? 0) + 700)
        expect(yield* keys.byHash(hash)).toEqual({ ...soon, hasExpired: true })
        expect(yield* keys.byHash(later.hash)).toEqual(later)
        const listed = Effect.map(keys.expired({ limit: 100 }), (due) => [
          due.includes(keyId),
          due.includes(later.keyId)
        ])
        expect(yield* listed).toEqual([true, false])
        const ended = yield* book.transact({ _tag: "ForKey", keyId }, expireKey(keyId))
        expect(yield* keys.byHash(hash)).toEqual({ ...ended, hasExpired: true })
        expect(yield* listed).toEqual([false, false])
      })
    )

    it.effect("finds a paused key as such, and as it was once it is resumed", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const book = yield* OrderBook
        const { key } = yield* buyer()
        const setPaused = (paused: boolean) =>
          book.transact({ _tag: "ForKey", keyId: key.keyId }, pauseKey(key.keyId, paused, actor))
        const paused = yield* setPaused(true)
        expect(paused.pausedAtMs).toBeGreaterThan(0)
        expect(yield* keys.byHash(key.hash)).toEqual(paused)
        expect(yield* setPaused(false)).toEqual(key)
        expect(yield* keys.byHash(key.hash)).toEqual(key)
      })
    )

    it.effect("shows a revocation as soon as it is committed, during concurrent look-ups", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const book = yield* OrderBook
        const rivals = yield* Effect.all(times(20, () => buyer()))
        for (const { key } of rivals) {
          const { keyId, hash } = key
          const revoke = book.transact({ _tag: "ForKey", keyId }, revokeKey(keyId, actor))
          const seeRevoked = Effect.gen(function* () {
            const revoked = yield* revoke
            expect(yield* keys.byHash(hash)).toEqual(revoked)
          })
          const lookOften = Effect.forEach(
            times(10, () => hash),
            keys.byHash
          )
          yield* concurrently([...times(20, () => lookOften), Effect.asVoid(seeRevoked), ...times(20, () => lookOften)])
        }
      })
    )

    it.effect("lists the keys of one account, oldest first, revoked keys included", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const book = yield* OrderBook
        const { account, key: first } = yield* buyer()
        const { accountId } = account
        const second = yield* issueKeyTo({ accountId })
        yield* buyer()
        const third = yield* issueKeyTo({ accountId, mode: "sandbox" })
        const { keyId } = second
        yield* book.transact({ _tag: "ForKey", keyId }, revokeKey(keyId, actor))
        const listed = (yield* keys.ofAccount(accountId)).map(({ key }) => key.keyId)
        expect(listed).toEqual([first.keyId, second.keyId, third.keyId])
        expect(yield* keys.ofAccount(AccountId.make("acc_unknown"))).toEqual([])
      })
    )

    // A store may record the use of a key late, so that this test expects either no time or the right one.
    it.effect("records the last use of a key, possibly late, and of no other key", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { account, key } = yield* buyer()
        const { accountId } = account
        yield* issueKeyTo({ accountId })
        expect((yield* keys.ofAccount(accountId)).map(({ lastUsedAtMs }) => lastUsedAtMs)).toEqual([null, null])
        const atMs = key.createdAtMs + 1_000
        yield* keys.recordUse(key.keyId, atMs)
        const [used, unused] = yield* keys.ofAccount(accountId)
        expect([null, atMs]).toContain(used?.lastUsedAtMs)
        expect(unused?.lastUsedAtMs).toBeNull()
      })
    )
  })
