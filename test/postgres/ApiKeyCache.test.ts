// What is remembered of a key says nothing any more once this instance has changed keys, though it was asked for before and only
// answered then.
import { it } from "@effect/vitest"
import { Context, Effect, Fiber, Latch, Layer } from "effect"
import { describe, expect } from "vitest"
import { ApiKeyCache, layer } from "#adapters/postgres/ApiKeyCache.ts"
import { AdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"
import { Database } from "#adapters/postgres/database/Database.ts"
import { keys } from "#adapters/postgres/rows/AccountRows.ts"
import type { ApiKey } from "#core/domain/ApiKey.ts"
import { key, NOON } from "#test/core/Given.ts"
import { fakeDatabase, settled } from "./FakeDatabase.ts"

const fresh = key("key_a", "acc")
const { limits, ...rest } = fresh

/** One key, that can be revoked: an answer says what was so when it was asked for, and comes when the line is free. */
const shop = Effect.gen(function* () {
  const line = yield* Latch.make(true)
  let revokedAtMs: number | null = null
  const database = fakeDatabase(new AdmissionQueue(10), {
    read: (sql) => {
      const asOf = `as of ${revokedAtMs}`
      const row = sql.includes("FROM keys") ? { key: keys.values({ ...rest, ...limits, revokedAtMs }), asOf } : { asOf }
      return Effect.as(line.await, [row])
    }
  })
  const context = yield* Layer.build(Layer.provide(layer, Layer.succeed(Database, database)))
  const { byHash, invalidate: written } = Context.get(context, ApiKeyCache)
  const revoke = Effect.suspend(() => {
    revokedAtMs = NOON
    return written([{ _tag: "KeyRevoked", keyId: fresh.keyId, atMs: NOON }])
  })
  /** Looked for when it was not revoked, and found when it was. */
  const overtaken = Effect.gen(function* () {
    yield* line.close
    const looking = yield* Effect.forkChild(byHash(fresh.hash), { startImmediately: true })
    yield* settled
    yield* revoke
    yield* line.open
    yield* Fiber.join(looking)
  })
  return { byHash, written, overtaken }
})

const revoked: ApiKey = { ...fresh, revokedAtMs: NOON }

describe("a key that is revoked here while it is looked for", () => {
  it.effect("the first time is known as revoked from then on", () =>
    Effect.gen(function* () {
      const { byHash, overtaken } = yield* shop
      yield* overtaken
      expect(yield* byHash(fresh.hash)).toEqual(revoked)
    })
  )

  it.effect("again, because another was changed, is known as revoked from then on", () =>
    Effect.gen(function* () {
      const { byHash, written, overtaken } = yield* shop
      expect(yield* byHash(fresh.hash)).toEqual(fresh)
      yield* written([{ _tag: "KeyRevoked", keyId: "key_b", atMs: NOON }])
      yield* overtaken
      expect(yield* byHash(fresh.hash)).toEqual(revoked)
    })
  )
})
