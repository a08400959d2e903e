// How long a version is fresh, and what an invalidation does to queries on their way.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { makeAdmissionQueue } from "#adapters/concurrency/AdmissionQueue.ts"
import { makeVersionCache } from "#adapters/postgres/database/VersionCache.ts"
import { fakeDatabase } from "../FakeDatabase.ts"

/** A cache over a database that has the version "stored", and a clock that the test sets. */
const testCache = Effect.gen(function* () {
  const clock = { ms: 0 }
  const admission = yield* makeAdmissionQueue({ capacity: 10, maxWait: "1 second" })
  const database = fakeDatabase(admission, { read: () => Effect.succeed([{ value: "stored" }]) })
  const cache = makeVersionCache(database, "SELECT 'stored' AS value", () => clock.ms)
  const at = <A>(ms: number, action: () => A): A => {
    clock.ms = ms
    return action()
  }
  return { ...cache, at }
})

describe("a version", () => {
  it.effect("is fresh from when it was queried until it is too old", () =>
    Effect.gen(function* () {
      const { sendQuery, latest, at } = yield* testCache
      expect(latest()).toBeNull()
      const observe = at(100, sendQuery)
      at(300, () => observe("a"))
      expect([at(599, latest), at(600, latest)]).toEqual(["a", null])
    })
  )

  it.effect("is the one of the latest query, in any order of the answers", () =>
    Effect.gen(function* () {
      const { sendQuery, latest, at } = yield* testCache
      const [observeOld, observeNew] = [at(100, sendQuery), at(200, sendQuery)]
      observeNew("new")
      observeOld("old")
      expect(at(201, latest)).toBe("new")
      at(300, sendQuery)("newer")
      expect(at(799, latest)).toBe("newer")
    })
  )

  it.effect("is stale after an invalidation, and so are answers to earlier queries", () =>
    Effect.gen(function* () {
      const { sendQuery, latest, invalidate, at } = yield* testCache
      at(100, sendQuery)("a")
      const [observeBefore, observeSince] = [at(149, sendQuery), at(150, sendQuery)]
      at(150, invalidate)
      expect(at(151, latest)).toBeNull()
      observeBefore("a")
      observeSince("a")
      expect(at(151, latest)).toBeNull()
      at(151, sendQuery)("b")
      expect(at(152, latest)).toBe("b")
    })
  )

  it.effect("is known once it was read", () =>
    Effect.gen(function* () {
      const { refresh, latest } = yield* testCache
      expect(yield* refresh).toBe("stored")
      expect(latest()).toBe("stored")
    })
  )
})
