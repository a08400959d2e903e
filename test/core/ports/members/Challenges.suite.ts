// What every store promises of challenges and one-time codes: each counts once and in its time, under races too.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { CHALLENGE_MS, type Challenge, MAX_CHALLENGES, type ShownOnce } from "#core/domain/members/Factor.ts"
import { MemberId } from "#core/domain/shared/Ids.ts"
import { Challenges } from "#core/ports/members/Challenges.ts"
import { Members } from "#core/ports/members/Members.ts"
import { buyer } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"

const uniqueName = Effect.flatMap(UniqueNumbers, ({ next }) => Effect.map(next, (n) => `name${n}`))

const aMember = Effect.gen(function* () {
  const { account } = yield* buyer()
  const [owner] = yield* (yield* Members).ofAccount(account.accountId)
  return owner?.memberId ?? MemberId.make("")
})

const newChallenge = Effect.fnUntraced(function* (changes: Partial<Challenge> = {}) {
  const nowMs = yield* Clock.currentTimeMillis
  const times = { createdAtMs: nowMs, expiresAtMs: nowMs + CHALLENGE_MS }
  const challenge: Challenge = { challenge: yield* uniqueName, holder: "session a", purpose: "sign_in", ...times }
  return { ...challenge, ...changes }
})

export const challengesSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Challenges of ${name}`, store, (it) => {
    it.effect("are taken once by 20 concurrent calls, and not after their time", () =>
      Effect.gen(function* () {
        const challenges = yield* Challenges
        const [one, late] = [yield* newChallenge(), yield* newChallenge()]
        yield* challenges.keep(one)
        yield* challenges.keep(late)
        const taken = yield* concurrently(times(20, () => challenges.take(one.challenge, one.expiresAtMs - 1)))
        expect(taken.filter((kept) => kept !== null)).toEqual([one])
        expect(yield* challenges.take(late.challenge, late.expiresAtMs)).toBe(null)
        expect(yield* challenges.take("none", 0)).toBe(null)
      })
    )

    it.effect("that were kept nowhere are spent once, by one of 20 concurrent calls", () =>
      Effect.gen(function* () {
        const challenges = yield* Challenges
        const answered = yield* newChallenge({ holder: "sign-in", expiresAtMs: 1 })
        const spent = yield* concurrently(times(20, () => challenges.spend(answered)))
        expect(spent.filter((isFirst) => isFirst)).toHaveLength(1)
        expect(yield* challenges.spend(answered)).toBe(false)
        expect(yield* challenges.spend(yield* newChallenge({ holder: "sign-in" }))).toBe(true)
        yield* challenges.prune
        expect(yield* challenges.take(answered.challenge, 0)).toBe(null)
      })
    )

    it.effect("of one holder are bounded, and the newest stay", () =>
      Effect.gen(function* () {
        const challenges = yield* Challenges
        const other = yield* newChallenge({ holder: "network n", createdAtMs: 0 })
        yield* challenges.keep(other)
        const many = yield* Effect.forEach(
          times(MAX_CHALLENGES + 2, (n) => n),
          (n) => newChallenge({ holder: "session b", createdAtMs: 1_000 + n })
        )
        yield* Effect.forEach(many, challenges.keep)
        const kept = yield* Effect.forEach(many, ({ challenge }) => challenges.take(challenge, 0))
        expect(kept).toEqual([null, null, ...many.slice(2)])
        expect(yield* challenges.take(other.challenge, 0)).toEqual(other)
      })
    )

    it.effect("and secrets on their page are kept once, for their holder, in their time, until they end", () =>
      Effect.gen(function* () {
        const challenges = yield* Challenges
        const holder = "session a"
        const nowMs = yield* Clock.currentTimeMillis
        const kept = { sealed: "v2.x", holder, createdAtMs: 1, expiresAtMs: nowMs + 60_000 }
        const one: ShownOnce = { ...kept, shownId: yield* uniqueName }
        const pruned: ShownOnce = { ...kept, shownId: yield* uniqueName, expiresAtMs: 10 }
        const twins = times(20, (n) => challenges.keepShown({ ...one, sealed: `v2.${n}` }))
        const isFirst = yield* concurrently(twins)
        expect(isFirst.filter((first) => first)).toHaveLength(1)
        const first = { ...one, sealed: `v2.${isFirst.indexOf(true)}` }
        yield* challenges.keepShown(pruned)
        yield* challenges.prune
        expect(yield* challenges.shown(pruned, 0)).toBe(null)
        const other = { ...one, holder: "session b" }
        expect(yield* challenges.shown(other, nowMs)).toBe(null)
        expect(yield* challenges.shown(one, one.expiresAtMs)).toBe(null)
        expect(yield* challenges.shown(one, nowMs)).toEqual(first)
        // Another session neither replaces nor ends it.
        yield* challenges.replaceShown(other)
        yield* challenges.endShown(other)
        expect(yield* challenges.shown(one, nowMs)).toEqual(first)
        yield* challenges.replaceShown({ ...one, sealed: "v2.made" })
        expect(yield* challenges.shown(one, nowMs)).toEqual({ ...one, sealed: "v2.made" })
        yield* challenges.endShown(one)
        expect(yield* challenges.shown(one, nowMs)).toBe(null)
        // What ended meanwhile, such as by a refused twin, is kept all the same.
        yield* challenges.replaceShown(one)
        expect(yield* challenges.shown(one, nowMs)).toEqual(one)
      })
    )

    it.effect("and one-time codes are deleted once they have expired", () =>
      Effect.gen(function* () {
        const challenges = yield* Challenges
        const memberId = yield* aMember
        const nowMs = yield* Clock.currentTimeMillis
        const [early, late] = [
          yield* newChallenge({ expiresAtMs: nowMs }),
          yield* newChallenge({ expiresAtMs: nowMs + 60_000 })
        ]
        for (const one of [early, late]) yield* challenges.keep(one)
        yield* challenges.keepCode({ hash: "h", memberId, createdAtMs: 1, expiresAtMs: nowMs })
        yield* challenges.prune
        expect(yield* challenges.take(early.challenge, 0)).toBe(null)
        expect(yield* challenges.take(late.challenge, 0)).toEqual(late)
        expect(yield* challenges.useCode(memberId, "h", 5)).toBe(false)
      })
    )
  })

  storeSuite(`One-time codes of ${name}`, store, (it) => {
    it.effect("count once under 20 concurrent uses, for their member, in their time, and the newest alone", () =>
      Effect.gen(function* () {
        const challenges = yield* Challenges
        const [ada, bo] = [yield* aMember, yield* aMember]
        for (const hash of ["a", "b"]) {
          yield* challenges.keepCode({ hash, memberId: ada, createdAtMs: 1, expiresAtMs: 100 })
        }
        yield* challenges.keepCode({ hash: "b", memberId: bo, createdAtMs: 1, expiresAtMs: 100 })
        expect(yield* challenges.useCode(ada, "a", 50)).toBe(false)
        expect(yield* challenges.useCode(ada, "b", 100)).toBe(false)
        const uses = yield* concurrently(times(20, () => challenges.useCode(ada, "b", 99)))
        expect(uses.filter((isUsed) => isUsed)).toHaveLength(1)
        expect(yield* challenges.useCode(bo, "b", 99)).toBe(true)
      })
    )
  })
}
