// What every store promises of sessions in which a second factor was shown.
import { Effect } from "effect"
import { expect } from "vitest"
import { SessionId } from "#core/domain/shared/Ids.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { aMember, started } from "./Sessions.suite.ts"

export const sessionConfirmationsSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Confirmations of sessions of ${name}`, store, (it) => {
    it.effect("are confirmed once, and together lose it", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const [ada, bo, cy] = [yield* aMember, yield* aMember, yield* aMember]
        const [one, two] = [yield* started(ada), yield* started(bo, { confirmedAtMs: 5 })]
        const [other, plain] = [yield* started(cy, { confirmedAtMs: 6 }), yield* started(ada)]
        const confirmed = (hash: string) => Effect.map(sessions.byHash(hash), (session) => session?.confirmedAtMs)
        yield* sessions.confirm(one.sessionId, 7)
        yield* sessions.confirm(one.sessionId, 8)
        yield* sessions.confirm(SessionId.make("none"), 8)
        expect(yield* Effect.forEach([one, two, other, plain], ({ hash }) => confirmed(hash))).toEqual([7, 5, 6, null])
        yield* sessions.unconfirmAll([ada, bo])
        yield* sessions.unconfirmAll([])
        expect(yield* Effect.forEach([one, two, other], ({ hash }) => confirmed(hash))).toEqual([null, null, 6])
      })
    )
  })
}
