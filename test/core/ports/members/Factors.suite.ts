// What every store promises of passkeys and authenticator apps: what is listed, single use and bounds, under races too.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { CODE_BOUNDS, MAX_PASSKEYS, type Passkey, type Totp } from "#core/domain/members/Factor.ts"
import { MemberId, PasskeyId } from "#core/domain/shared/Ids.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { Members } from "#core/ports/members/Members.ts"
import { buyer } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"

const uniqueName = Effect.flatMap(UniqueNumbers, ({ next }) => Effect.map(next, (n) => `name${n}`))

const aMember = Effect.gen(function* () {
  const { account } = yield* buyer()
  const [owner] = yield* (yield* Members).ofAccount(account.accountId)
  return owner?.memberId ?? MemberId.make("")
})

const newPasskey = Effect.fnUntraced(function* (memberId: MemberId, changes: Partial<Passkey> = {}) {
  const passkey: Passkey = {
    passkeyId: PasskeyId.make(yield* uniqueName),
    memberId,
    name: "Laptop “1”",
    publicKey: "cose_key-",
    counter: 0,
    transports: ["internal", "hybrid"],
    createdAtMs: yield* Clock.currentTimeMillis,
    lastUsedAtMs: null,
    ...changes
  }
  return passkey
})

const newTotp = Effect.fnUntraced(function* (memberId: MemberId, changes: Partial<Totp> = {}) {
  const createdAtMs = yield* Clock.currentTimeMillis
  const totp: Totp = { memberId, sealedSecret: "v2.s", createdAtMs, lastStep: 7, lastUsedAtMs: null, ...changes }
  return totp
})

/** A member with an app, whose first codes come at that time. */
const withTotp = Effect.gen(function* () {
  const memberId = yield* aMember
  const totp = yield* newTotp(memberId)
  expect(yield* (yield* Factors).addTotp(totp)).toBe(true)
  return { memberId, totp, nowMs: totp.createdAtMs }
})

const isTrue = (one: boolean): boolean => one

export const factorsSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Passkeys of ${name}`, store, (it) => {
    it.effect("are found as they were added, by id and by members", () =>
      Effect.gen(function* () {
        const factors = yield* Factors
        const [ada, bo, cy] = [yield* aMember, yield* aMember, yield* aMember]
        const first = yield* newPasskey(ada)
        const others = [
          yield* newPasskey(bo, { createdAtMs: first.createdAtMs + 1, transports: [] }),
          yield* newPasskey(cy)
        ]
        for (const one of [first, ...others]) expect(yield* factors.addPasskey(one)).toBe(true)
        expect(yield* factors.passkey(first.passkeyId)).toEqual(first)
        expect(yield* factors.passkey(PasskeyId.make("none"))).toBe(null)
        expect(yield* factors.ofMembers([bo, ada])).toEqual({
          passkeys: [first, others[0]],
          totps: []
        })
        expect(yield* factors.ofMembers([])).toEqual({ passkeys: [], totps: [] })
      })
    )

    it.effect("are as many as a member may have, exactly under concurrent calls, and each once", () =>
      Effect.gen(function* () {
        const factors = yield* Factors
        const memberId = yield* aMember
        const many = yield* Effect.all(times(2 * MAX_PASSKEYS, () => newPasskey(memberId)))
        const added = yield* concurrently(many.map(factors.addPasskey))
        expect(added.filter(isTrue)).toHaveLength(MAX_PASSKEYS)
        expect((yield* factors.ofMembers([memberId])).passkeys).toHaveLength(MAX_PASSKEYS)
        const other = yield* newPasskey(yield* aMember)
        expect(yield* factors.addPasskey(other)).toBe(true)
        expect(yield* factors.addPasskey({ ...other, memberId: yield* aMember })).toBe(false)
      })
    )

    it.effect("are used with a rising counter only, once each under 20 concurrent uses, or without a counter", () =>
      Effect.gen(function* () {
        const factors = yield* Factors
        const counting = yield* newPasskey(yield* aMember, { counter: 4 })
        yield* factors.addPasskey(counting)
        const { passkeyId } = counting
        const uses = yield* concurrently(times(20, () => factors.usePasskey(passkeyId, 5, 100)))
        expect(uses.filter(isTrue)).toHaveLength(1)
        for (const counter of [0, 4, 5]) expect(yield* factors.usePasskey(passkeyId, counter, 200)).toBe(false)
        expect(yield* factors.passkey(passkeyId)).toEqual({ ...counting, counter: 5, lastUsedAtMs: 100 })
        const silent = yield* newPasskey(counting.memberId)
        yield* factors.addPasskey(silent)
        expect(yield* factors.usePasskey(silent.passkeyId, 0, 300)).toBe(true)
        expect(yield* factors.usePasskey(silent.passkeyId, 0, 400)).toBe(true)
        expect((yield* factors.passkey(silent.passkeyId))?.lastUsedAtMs).toBe(400)
        expect(yield* factors.usePasskey(PasskeyId.make("none"), 1, 1)).toBe(false)
      })
    )

    it.effect("are removed by their member alone, once", () =>
      Effect.gen(function* () {
        const factors = yield* Factors
        const passkey = yield* newPasskey(yield* aMember)
        yield* factors.addPasskey(passkey)
        expect(yield* factors.removePasskey(yield* aMember, passkey.passkeyId)).toBe(false)
        const removals = yield* concurrently(times(5, () => factors.removePasskey(passkey.memberId, passkey.passkeyId)))
        expect(removals.filter(isTrue)).toHaveLength(1)
        expect(yield* factors.passkey(passkey.passkeyId)).toBe(null)
      })
    )
  })

  storeSuite(`Authenticator apps of ${name}`, store, (it) => {
    it.effect("are one for each member", () =>
      Effect.gen(function* () {
        const factors = yield* Factors
        const memberId = yield* aMember
        const totp = yield* newTotp(memberId)
        const added = yield* concurrently(times(5, () => factors.addTotp(totp)))
        expect(added.filter(isTrue)).toHaveLength(1)
        expect(yield* factors.ofMembers([memberId])).toEqual({ passkeys: [], totps: [totp] })
        expect(yield* factors.removeTotp(memberId)).toBe(true)
        expect(yield* factors.removeTotp(memberId)).toBe(false)
        expect(yield* factors.addTotp(totp)).toBe(true)
      })
    )

    it.effect("a code counts once under 20 concurrent uses, and none of an earlier step after it", () =>
      Effect.gen(function* () {
        const factors = yield* Factors
        const { memberId, totp } = yield* withTotp
        const uses = yield* concurrently(times(20, () => factors.useStep(memberId, 9, 50)))
        expect(uses.filter(isTrue)).toHaveLength(1)
        expect(yield* factors.useStep(memberId, 8, 60)).toBe(false)
        expect((yield* factors.ofMembers([memberId])).totps).toEqual([{ ...totp, lastStep: 9, lastUsedAtMs: 50 }])
        expect(yield* factors.useStep(memberId, 10, 70)).toBe(true)
        expect(yield* factors.useStep(MemberId.make("none"), 10, 70)).toBe(false)
      })
    )

    it.effect("looks at a bounded number of codes, exactly under 20 concurrent ones, until one is right", () =>
      Effect.gen(function* () {
        const factors = yield* Factors
        const { memberId, nowMs } = yield* withTotp
        const [hour, day] = CODE_BOUNDS
        const tried = yield* concurrently(times(20, () => factors.countAttempt(memberId, nowMs)))
        expect(tried.filter(isTrue)).toHaveLength(hour.limit)
        expect(yield* factors.countAttempt(memberId, nowMs + hour.windowMs - 1)).toBe(false)
        const later = yield* Effect.forEach(
          times(day.limit, (n) => nowMs + (1 + n) * hour.windowMs),
          (atMs) => factors.countAttempt(memberId, atMs)
        )
        // Refused in the hours 21 to 23; in the hour 24 the first ten count no more.
        expect(later.flatMap((isTried, n) => (isTried ? [] : [1 + n]))).toEqual([21, 22, 23])
        const other = yield* withTotp
        const spread = yield* Effect.forEach(
          times(day.limit + 5, (n) => other.nowMs + Math.floor(n / 5) * (hour.windowMs / 2 + 1)),
          (atMs) => factors.countAttempt(other.memberId, atMs)
        )
        expect(spread.filter(isTrue)).toHaveLength(day.limit)
        expect(yield* factors.useStep(other.memberId, 9, other.nowMs)).toBe(true)
        expect(yield* factors.countAttempt(other.memberId, other.nowMs + 12 * hour.windowMs)).toBe(true)
        expect(yield* factors.countAttempt(MemberId.make("none"), nowMs)).toBe(false)
      })
    )

    it.effect("are paged by member, and sealed again where nothing else changed the secret", () =>
      Effect.gen(function* () {
        const factors = yield* Factors
        const members = [(yield* withTotp).memberId, (yield* withTotp).memberId].toSorted()
        const all: Array<string> = []
        for (let after: MemberId | null = null; ; ) {
          const page: ReadonlyArray<Totp> = yield* factors.totpsAfter({ after, limit: 1 })
          all.push(...page.map(({ memberId }) => memberId))
          after = page.at(-1)?.memberId ?? null
          if (after === null) break
        }
        expect(all).toEqual(all.toSorted())
        expect(all).toEqual(expect.arrayContaining(members))
        const [memberId = MemberId.make("")] = members
        expect(yield* factors.resealTotp(memberId, "v2.s", "v2.t")).toBe(true)
        expect(yield* factors.resealTotp(memberId, "v2.s", "v2.u")).toBe(false)
        expect((yield* factors.ofMembers([memberId])).totps).toMatchObject([{ sealedSecret: "v2.t" }])
      })
    )
  })
}
