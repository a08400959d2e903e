// What every store promises of sign-in links and sessions: single use, bounds, ends, and what is listed.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import {
  linkIsUsable,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  type Session,
  type SignInLink
} from "#core/domain/members/Session.ts"
import { MemberId, SessionId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { buyer } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"

const MINUTE = 60_000

export const nextHash = Effect.flatMap(UniqueNumbers, ({ next }) => Effect.map(next, (n) => `hash${n}`))

const newLink = Effect.fnUntraced(function* (changes: Partial<SignInLink> = {}) {
  const nowMs = yield* Clock.currentTimeMillis
  const link: SignInLink = {
    hash: yield* nextHash,
    kind: "mail",
    email: "Ada@Brand.example",
    createdAtMs: nowMs,
    expiresAtMs: nowMs + 15 * MINUTE,
    usedAtMs: null,
    wrongCodes: 0,
    browserHash: null,
    codeHash: null,
    ...changes
  }
  return link
})

export const issued = Effect.fnUntraced(function* (changes: Partial<SignInLink> = {}) {
  const link = yield* newLink(changes)
  expect(yield* (yield* Sessions).issueLink(link, [])).toBe(true)
  return link
})

export const aMember = Effect.gen(function* () {
  const { account } = yield* buyer()
  const [owner] = yield* (yield* Members).ofAccount(account.accountId)
  return owner?.memberId ?? MemberId.make("")
})

export const started = Effect.fnUntraced(function* (memberId: MemberId, changes: Partial<Session> = {}) {
  const nowMs = yield* Clock.currentTimeMillis
  const hash = yield* nextHash
  const session: Session = {
    sessionId: SessionId.make(`ses_${hash}`),
    hash,
    memberId,
    method: "link",
    network: "192.0.2.7",
    userAgent: "Lynx “2”",
    createdAtMs: nowMs,
    lastUsedAtMs: nowMs,
    endedAtMs: null,
    confirmedAtMs: null,
    cart: null,
    ...changes
  }
  yield* (yield* Sessions).start(session, null)
  return session
})

export const sessionsSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Sign-in links of ${name}`, store, (it) => {
    it.effect("are found by their hash as they were issued", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const link = yield* issued()
        expect(yield* sessions.link(link.hash)).toEqual(link)
        expect(yield* sessions.link("none")).toBe(null)
      })
    )

    it.effect("are used once by 20 concurrent uses", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const { hash, createdAtMs } = yield* issued()
        const uses = yield* concurrently(times(20, (n) => sessions.consumeLink(hash, createdAtMs + n)))
        const used = uses.filter((use) => use !== null)
        expect(used).toHaveLength(1)
        expect(yield* sessions.link(hash)).toEqual(used[0])
      })
    )

    it.effect(
      "are not used after their expiry or unknown, and have five codes looked at, exactly under concurrent ones",
      () =>
        Effect.gen(function* () {
          const sessions = yield* Sessions
          const link = yield* issued()
          expect(yield* sessions.consumeLink(link.hash, link.expiresAtMs)).toBe(null)
          expect(yield* sessions.consumeLink("none", link.createdAtMs)).toBe(null)
          const counts = yield* concurrently(times(20, () => sessions.countCode(link.hash)))
          expect(counts.filter((count) => count !== null).toSorted()).toEqual([1, 2, 3, 4, 5])
          const worn = yield* sessions.link(link.hash)
          expect(worn === null || linkIsUsable(worn, link.createdAtMs)).toBe(false)
          // The fifth code may have been the right one.
          expect((yield* sessions.consumeLink(link.hash, link.createdAtMs))?.wrongCodes).toBe(5)
          const other = yield* issued()
          expect((yield* sessions.consumeLink(other.hash, other.expiresAtMs - 1))?.usedAtMs).toBe(other.expiresAtMs - 1)
          expect(yield* sessions.countCode(other.hash)).toBe(null)
        })
    )

    it.effect("are bounded within the hour, exactly under 20 concurrent requests, each name apart", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const bounds = [
          { name: "address a", limit: 5 },
          { name: "network n", limit: 7 }
        ]
        const links = yield* Effect.all(times(20, () => newLink()))
        const outcomes = yield* concurrently(links.map((link) => sessions.issueLink(link, bounds)))
        expect(outcomes.filter((isIssued) => isIssued)).toHaveLength(5)
        const kept = yield* Effect.forEach(links, ({ hash }) => sessions.link(hash))
        expect(kept.map((link) => link !== null)).toEqual(outcomes)
        // What was refused counts nowhere: the network has two left.
        const others = yield* Effect.forEach(
          times(3, (n) => n),
          (n) =>
            Effect.flatMap(newLink(), (link) =>
              sessions.issueLink(link, [
                { name: `address b${n}`, limit: 5 },
                { name: "network n", limit: 7 }
              ])
            )
        )
        expect(others).toEqual([true, true, false])
        const late = yield* newLink({ createdAtMs: (links[0]?.createdAtMs ?? 0) + 61 * MINUTE })
        expect(yield* sessions.issueLink(late, bounds)).toBe(true)
      })
    )

    it.effect("of the demo end together, and leave those of mails", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const [mail, demo] = [yield* issued(), yield* issued({ kind: "demo" })]
        yield* sessions.endDemoLinks
        expect(yield* sessions.link(demo.hash)).toBe(null)
        expect(yield* sessions.link(mail.hash)).toEqual(mail)
      })
    )
  })

  storeSuite(`Sessions of ${name}`, store, (it) => {
    it.effect("are found by their hash, with the time of their last use and their cart", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const session = yield* started(yield* aMember)
        const { hash, sessionId, createdAtMs } = session
        expect(yield* sessions.byHash(hash)).toEqual(session)
        expect(yield* sessions.byHash("none")).toBe(null)
        yield* sessions.recordUse(sessionId, createdAtMs + 2)
        yield* sessions.recordUse(sessionId, createdAtMs + 1)
        expect(yield* sessions.saveCart(sessionId, { before: null, after: '{"items":[]}' })).toBe(true)
        const expected = { ...session, lastUsedAtMs: createdAtMs + 2, cart: '{"items":[]}' }
        expect(yield* sessions.byHash(hash)).toEqual(expected)
        expect(yield* sessions.saveCart(sessionId, { before: '{"items":[]}', after: null })).toBe(true)
        expect((yield* sessions.byHash(hash))?.cart).toBe(null)
        expect(yield* sessions.saveCart(SessionId.make("none"), { before: null, after: "{}" })).toBe(false)
      })
    )

    it.effect("keep a cart that was changed meanwhile: of concurrent changes to one cart, one is saved", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const { hash, sessionId } = yield* started(yield* aMember)
        const saved = yield* Effect.all(
          times(20, (index) => sessions.saveCart(sessionId, { before: null, after: `cart ${index}` })),
          { concurrency: "unbounded" }
        )
        expect(saved.filter((one) => one)).toHaveLength(1)
        const after = `cart ${saved.indexOf(true)}`
        expect((yield* sessions.byHash(hash))?.cart).toBe(after)
        expect(yield* sessions.saveCart(sessionId, { before: "another", after: null })).toBe(false)
        expect((yield* sessions.byHash(hash))?.cart).toBe(after)
      })
    )

    it.effect("are live until they are ended, idle for 7 days or 30 days old; newest first", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const memberId = yield* aMember
        const nowMs = yield* Clock.currentTimeMillis
        const idle = nowMs - SESSION_IDLE_MS
        const young = yield* started(memberId)
        const used = yield* started(memberId, { createdAtMs: idle, lastUsedAtMs: nowMs })
        yield* started(memberId, { createdAtMs: idle, lastUsedAtMs: idle })
        yield* started(memberId, { createdAtMs: nowMs - SESSION_MAX_MS, lastUsedAtMs: nowMs })
        yield* started(memberId, { endedAtMs: nowMs })
        expect(yield* sessions.live([memberId, MemberId.make("mem_none")], nowMs)).toEqual([young, used])
        expect(yield* sessions.live([], nowMs)).toEqual([])
      })
    )

    it.effect("end once, one at a time or all but one", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const memberId = yield* aMember
        const [one, two, three] = [yield* started(memberId), yield* started(memberId), yield* started(memberId)]
        yield* sessions.end(one.sessionId, one.createdAtMs + 1)
        yield* sessions.end(one.sessionId, one.createdAtMs + 2)
        expect((yield* sessions.byHash(one.hash))?.endedAtMs).toBe(one.createdAtMs + 1)
        expect(yield* sessions.endAll([memberId], two.createdAtMs, two.sessionId)).toBe(1)
        expect((yield* sessions.byHash(three.hash))?.endedAtMs).toBe(two.createdAtMs)
        expect((yield* sessions.byHash(two.hash))?.endedAtMs).toBe(null)
        expect(yield* sessions.endAll([memberId], two.createdAtMs, null)).toBe(1)
      })
    )

    it.effect("tell the networks that a member signed in from", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const memberId = yield* aMember
        yield* started(memberId, { network: "198.51.100.1", endedAtMs: 1 })
        expect(yield* sessions.signedInFrom(memberId, "198.51.100.1")).toBe(true)
        expect(yield* sessions.signedInFrom(memberId, "198.51.100.2")).toBe(false)
        expect(yield* sessions.signedInFrom(yield* aMember, "198.51.100.1")).toBe(false)
      })
    )
  })
}
