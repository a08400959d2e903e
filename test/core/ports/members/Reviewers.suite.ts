// What every store promises of reviewers' sign-ins: one of a name at a time, under races too, until it is ended.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import { firstOwner } from "#core/domain/members/Member.ts"
import type { Reviewer } from "#core/domain/members/Reviewer.ts"
import { MemberId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Reviewers } from "#core/ports/members/Reviewers.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { concurrently, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"

const newReviewer = Effect.fnUntraced(function* (changes: Partial<Reviewer> = {}) {
  const number = yield* (yield* UniqueNumbers).next
  const email = `review-${number}@reviewers.invalid`
  const opening = openAccount({ name: `Review ${number}`, email, actor: null, role: "reviewer" })
  const account = yield* (yield* OrderBook).transact({ _tag: "ForEmail", email }, opening)
  const { accountId, memberId } = firstOwner(account)
  const createdAtMs = yield* Clock.currentTimeMillis
  const times = { createdAtMs, expiresAtMs: createdAtMs + 1_000, endedAtMs: null }
  const reviewer: Reviewer = { name: `reviewer-${number}`, memberId, accountId, passwordHash: "scrypt$…", ...times }
  return { ...reviewer, ...changes }
})

export const reviewersSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Reviewers of ${name}`, store, (it) => {
    it.effect("are found by name in any spelling and by member, whose role is theirs", () =>
      Effect.gen(function* () {
        const reviewers = yield* Reviewers
        const one = yield* newReviewer({ name: "Ada.Lovelace-1" })
        expect(yield* reviewers.add(one)).toBe(true)
        for (const spelling of ["Ada.Lovelace-1", " ada.lovelace-1 ", "ADA.LOVELACE-1"])
          expect(yield* reviewers.byName(spelling)).toEqual(one)
        expect(yield* reviewers.ofMember(one.memberId)).toEqual(one)
        expect([yield* reviewers.byName("none"), yield* reviewers.ofMember(MemberId.make("mem_none"))]).toEqual([
          null,
          null
        ])
        expect((yield* (yield* Members).byId(one.memberId))?.member.role).toBe("reviewer")
      })
    )

    it.effect("have a name of their own: of 10 concurrent ones, one gets it", () =>
      Effect.gen(function* () {
        const reviewers = yield* Reviewers
        const many = yield* Effect.forEach(
          times(10, (n) => n),
          (n) => newReviewer({ name: n % 2 === 0 ? "wanted" : "Wanted" })
        )
        const added = yield* concurrently(many.map(reviewers.add))
        expect(added.filter((isAdded) => isAdded)).toHaveLength(1)
        const kept = many[added.indexOf(true)]
        expect(yield* reviewers.byName("wanted")).toEqual(kept)
      })
    )

    it.effect("are ended once, and leave their name to another", () =>
      Effect.gen(function* () {
        const reviewers = yield* Reviewers
        const [one, next] = [yield* newReviewer({ name: "again" }), yield* newReviewer({ name: "again" })]
        yield* reviewers.add(one)
        yield* reviewers.end(one.memberId, 7)
        yield* reviewers.end(one.memberId, 8)
        yield* reviewers.end(MemberId.make("mem_none"), 9)
        expect(yield* reviewers.byName("again")).toBe(null)
        expect(yield* reviewers.ofMember(one.memberId)).toEqual({ ...one, endedAtMs: 7 })
        expect(yield* reviewers.add(next)).toBe(true)
        expect(yield* reviewers.byName("again")).toEqual(next)
      })
    )

    it.effect("are listed, the newest first, ended ones too", () =>
      Effect.gen(function* () {
        const reviewers = yield* Reviewers
        const late = yield* newReviewer({ createdAtMs: 9_000_000_000_002 })
        const later = yield* newReviewer({ createdAtMs: 9_000_000_000_003 })
        yield* reviewers.add(late)
        yield* reviewers.add(later)
        yield* reviewers.end(late.memberId, 1)
        const [first, second] = yield* reviewers.all
        expect([first, second]).toEqual([later, { ...late, endedAtMs: 1 }])
      })
    )
  })

  storeSuite(`Attempts to sign in of ${name}`, store, (it) => {
    it.effect("are counted under each bound: of 20 concurrent ones as many as it allows, and again after an hour", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const bounds = [
          { name: "password of ada from n", limit: 5 },
          { name: "passwords from n", limit: 50 }
        ]
        const tried = yield* concurrently(times(20, (n) => sessions.countAttempt({ id: `a${n}`, atMs: 1_000 }, bounds)))
        expect(tried.filter((mayTry) => mayTry)).toHaveLength(5)
        const other = [{ name: "password of ben from n", limit: 5 }]
        expect(yield* sessions.countAttempt({ id: "b", atMs: 1_000 }, other)).toBe(true)
        const early = times(5, (n) => sessions.countAttempt({ id: `c${n}`, atMs: 1_000 + 3_599_999 }, bounds))
        expect(yield* concurrently(early), "and those that are refused do not count").toEqual(Array(5).fill(false))
        expect(yield* sessions.countAttempt({ id: "d", atMs: 1_000 + 3_600_000 }, bounds)).toBe(true)
      })
    )
  })
}
