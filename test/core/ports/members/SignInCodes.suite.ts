// What every store promises of codes that stand in for sign-in links: five tries, and one use of the link or the code.
import { Effect } from "effect"
import { expect } from "vitest"
import { MAX_CODE_ATTEMPTS } from "#core/domain/members/Session.ts"
import { codesOf, type LinkBound } from "#core/domain/members/SignInBounds.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { issued, nextHash } from "./Sessions.suite.ts"

const MINUTE = 60_000

/** A link whose mail has a code. */
const withCode = Effect.gen(function* () {
  const browserHash = yield* nextHash
  const link = yield* issued({ browserHash, codeHash: yield* nextHash })
  return { browserHash, link, atMs: link.createdAtMs }
})

const bound = (browserHash: string): LinkBound => ({ name: codesOf(browserHash), limit: MAX_CODE_ATTEMPTS })

const tries = Effect.fnUntraced(function* (
  browserHash: string,
  atMs: number,
  bounds: ReadonlyArray<LinkBound> = [bound(browserHash)]
) {
  return yield* (yield* Sessions).countTry({ id: yield* nextHash, atMs, browserHash }, bounds)
})

export const signInCodesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Codes of sign-in mails of ${name}`, store, (it) => {
    it.effect("are counted for a day where a bound says so, and for an hour otherwise", () =>
      Effect.gen(function* () {
        const { browserHash, atMs } = yield* withCode
        const [aDay, anHour] = [yield* nextHash, yield* nextHash]
        const bounds = [
          { name: aDay, limit: 2, windowMs: DAY_MS },
          { name: anHour, limit: 1 }
        ]
        const isCounted = (at: number) => Effect.map(tries(browserHash, at, bounds), (one) => one !== null)
        const ats = [0, 59 * MINUTE, 61 * MINUTE, 130 * MINUTE, DAY_MS - 1, DAY_MS + 1]
        expect(yield* Effect.forEach(ats, (ms) => isCounted(atMs + ms))).toEqual([
          ...[true, false, true, false, false, true]
        ])
      })
    )

    it.effect("find no link that is used, has expired, or has no code", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const linkAt = (browserHash: string, atMs: number) =>
          Effect.map(tries(browserHash, atMs, []), (one) => one?.link?.hash ?? null)
        const [used, late] = [yield* withCode, yield* withCode]
        yield* sessions.consumeLink(used.link.hash, used.atMs)
        expect(yield* linkAt(used.browserHash, used.atMs)).toBe(null)
        expect(yield* linkAt(late.browserHash, late.link.expiresAtMs)).toBe(null)
        expect(yield* linkAt(late.browserHash, late.link.expiresAtMs - 1)).toBe(late.link.hash)
      })
    )

    it.effect("are not exchanged late, or for a link that there is not", () =>
      Effect.gen(function* () {
        const { exchangeLink } = yield* Sessions
        const { link } = yield* withCode
        expect(yield* exchangeLink(link.hash, yield* nextHash, link.expiresAtMs)).toBe(false)
        expect(yield* exchangeLink("none", yield* nextHash, link.createdAtMs)).toBe(false)
        expect(yield* exchangeLink(link.hash, yield* nextHash, link.expiresAtMs - 1)).toBe(true)
      })
    )
  })

export const signInCodeRacesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Races for codes of sign-in mails of ${name}`, store, (it) => {
    it.effect("are tried five times, exactly under 20 concurrent tries, which end their link, too", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const { browserHash, link, atMs } = yield* withCode
        const counted = yield* concurrently(times(20, () => tries(browserHash, atMs)))
        const looked = counted.flatMap((one) => (one === null ? [] : [one]))
        expect(looked.map((one) => one.tries).toSorted()).toEqual([1, 2, 3, 4, 5])
        expect(looked.map((one) => one.link?.wrongCodes).toSorted()).toEqual([1, 2, 3, 4, 5])
        expect(looked.map((one) => one.link?.hash)).toEqual(times(5, () => link.hash))
        expect((yield* sessions.link(link.hash))?.wrongCodes).toBe(MAX_CODE_ATTEMPTS)
      })
    )

    it.effect("are counted alike where no mail was sent, and each browser apart", () =>
      Effect.gen(function* () {
        const { browserHash, atMs } = yield* withCode
        const none = yield* nextHash
        const counted = yield* concurrently(times(20, () => tries(none, atMs)))
        const looked = counted.flatMap((one) => (one === null ? [] : [one]))
        expect(looked.map((one) => one.tries).toSorted()).toEqual([1, 2, 3, 4, 5])
        expect(looked.map((one) => one.link)).toEqual(times(5, () => null))
        expect((yield* tries(browserHash, atMs))?.tries).toBe(1)
      })
    )

    it.effect("are exchanged for another token once, by 20 concurrent exchanges and uses of the link", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        for (const _ of times(5, () => null)) {
          const { browserHash, link, atMs } = yield* withCode
          yield* tries(browserHash, atMs)
          const hashes = yield* Effect.all(times(10, () => nextHash))
          const exchanged = hashes.map((hash) => sessions.exchangeLink(link.hash, hash, atMs))
          const used = hashes.map(() => Effect.map(sessions.consumeLink(link.hash, atMs), (one) => one !== null))
          const won = yield* concurrently(exchanged.flatMap((one, nth) => [one, used[nth] ?? one]))
          expect(won.filter((one) => one)).toHaveLength(1)
          const kept = yield* Effect.forEach(hashes, sessions.link)
          const fresh = kept.flatMap((one) => (one === null ? [] : [one]))
          if (fresh.length === 0) expect((yield* sessions.link(link.hash))?.usedAtMs).toBe(atMs)
          else {
            expect(yield* sessions.link(link.hash)).toBe(null)
            const { hash = "" } = fresh[0] ?? {}
            expect(fresh).toEqual([{ ...link, hash, browserHash: null, codeHash: null }])
            expect(yield* sessions.consumeLink(hash, atMs)).not.toBe(null)
          }
          expect((yield* tries(browserHash, atMs, []))?.link).toBe(null)
        }
      })
    )

    it.effect("leave a link that was exchanged what is left of its five codes, except for the right one", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const { browserHash, link, atMs } = yield* withCode
        yield* sessions.countCode(link.hash)
        for (const _ of times(3, () => null)) yield* tries(browserHash, atMs)
        yield* tries(browserHash, atMs)
        const hash = yield* nextHash
        expect(yield* sessions.exchangeLink(link.hash, hash, atMs)).toBe(true)
        expect((yield* sessions.link(hash))?.wrongCodes).toBe(MAX_CODE_ATTEMPTS - 1)
        const counted = yield* concurrently(times(20, () => sessions.countCode(hash)))
        expect(counted.filter((one) => one !== null)).toEqual([MAX_CODE_ATTEMPTS])
      })
    )
  })
