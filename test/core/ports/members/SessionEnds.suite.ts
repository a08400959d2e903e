// What every store promises of the end of sessions and links: by the next sign-in of the same browser, and by the store's time.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { SESSION_MAX_MS } from "#core/domain/members/Session.ts"
import { SessionId } from "#core/domain/shared/Ids.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { aMember, issued, nextHash, started } from "./Sessions.suite.ts"

const MINUTE = 60_000

export const sessionEndsSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Ends of sessions of ${name}`, store, (it) => {
    it.effect("come with the next sign-in of the browser, as this member or another, and stay as they were", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const [ada, bo] = [yield* aMember, yield* aMember]
        const [former, ended, other] = [yield* started(ada), yield* started(ada, { endedAtMs: 1 }), yield* started(ada)]
        const next = { ...former, sessionId: SessionId.make("ses_next"), hash: yield* nextHash, memberId: bo }
        yield* sessions.start(next, former.sessionId)
        yield* sessions.start(
          { ...next, sessionId: SessionId.make("ses_third"), hash: yield* nextHash },
          ended.sessionId
        )
        expect((yield* sessions.byHash(former.hash))?.endedAtMs).toBe(next.createdAtMs)
        expect((yield* sessions.byHash(ended.hash))?.endedAtMs).toBe(1)
        expect((yield* sessions.byHash(other.hash))?.endedAtMs).toBe(null)
        expect((yield* sessions.byHash(next.hash))?.endedAtMs).toBe(null)
      })
    )

    it.effect("lead to the deletion of sessions long afterwards, and of expired links", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const memberId = yield* aMember
        const nowMs = yield* Clock.currentTimeMillis
        const [link, expired] = [yield* issued(), yield* issued({ expiresAtMs: nowMs })]
        const session = yield* started(memberId, { createdAtMs: nowMs - 2 * SESSION_MAX_MS + MINUTE })
        const old = yield* started(memberId, { createdAtMs: nowMs - 2 * SESSION_MAX_MS })
        yield* sessions.prune
        expect(yield* sessions.link(link.hash)).toEqual(link)
        expect(yield* sessions.link(expired.hash)).toBe(null)
        expect(yield* sessions.byHash(session.hash)).toEqual(session)
        expect(yield* sessions.byHash(old.hash)).toBe(null)
      })
    )
  })
}
