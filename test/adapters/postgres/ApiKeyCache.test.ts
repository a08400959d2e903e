// A cached key counts no longer once this instance has changed any key, under none of its texts, even if a lookup from before is answered
// afterwards.
import { it } from "@effect/vitest"
import { Context, Effect, Fiber, Latch, Layer } from "effect"
import { describe, expect } from "vitest"
import { Database } from "#adapters/postgres/database/Database.ts"
import { ApiKeyCache, layer } from "#adapters/postgres/ports/access/ApiKeyCache.ts"
import { keys } from "#adapters/postgres/rows/AccountRows.ts"
import { apply } from "#core/decisions/Apply.ts"
import type { Change } from "#core/decisions/Change.ts"
import { difference } from "#core/decisions/Difference.ts"
import { type ApiKey, ROTATION_GRACE_MS } from "#core/domain/access/ApiKey.ts"
import { KeyId, MemberId } from "#core/domain/shared/Ids.ts"
import { booksOf, key, NOON, stock } from "#test/core/Given.ts"
import { admissionQueue, fakeDatabase, settled } from "./FakeDatabase.ts"

const active = key("key_a", "acc")
const { limits } = active

/** The key after a rotation: its first text is a former one. */
const rotatedText = {
  ...{ hash: "hash of another text", prefix: active.prefix, lastFour: "next" },
  former: [{ hash: active.hash, lastFour: active.lastFour, untilMs: NOON + ROTATION_GRACE_MS }]
}
const rotated: ApiKey = { ...active, ...rotatedText }
const rotation: Change = { _tag: "KeyRotated", keyId: active.keyId, ...rotatedText }

const books = booksOf({ ...stock, keys: [active, key("key_b", "acc"), key("con_a", "acc")] })

/** A cache over one key that can be changed. Answers have the state from when the query was sent, and arrive once the latch is open. */
const testCache = Effect.gen(function* () {
  const answers = yield* Latch.make(true)
  let stored: ApiKey = active
  let version = 1
  const statements: Array<string> = []
  const database = fakeDatabase(admissionQueue(10), {
    read: (sql, [hashes]) => {
      statements.push(sql)
      const asOf = `as of ${version}`
      if (!sql.includes("unnest(")) return Effect.as(answers.await, [{ value: asOf }])
      const values = keys.flat({ ...stored })
      const row = keys.names.map((name) => values[name] ?? null)
      const texts = [stored, ...(stored.former ?? [])]
      const found = texts.filter(({ hash }) => Array.isArray(hashes) && hashes.includes(hash))
      return Effect.as(
        answers.await,
        found.map(({ hash }) => ({ hash, key: row, expired: false, asOf }))
      )
    }
  })
  const context = yield* Layer.build(Layer.provide(layer, Layer.succeed(Database, database)))
  const { byHash, onCommitted } = Context.get(context, ApiKeyCache)
  const invalidate = (change: Change) => onCommitted(difference(books, apply(books, change)))
  const store = (key: ApiKey, change: Change) =>
    Effect.suspend(() => {
      stored = key
      version++
      return invalidate(change)
    })
  const revokeBy = (change: Change) => Effect.suspend(() => store({ ...stored, revokedAtMs: NOON }, change))
  const revoke = revokeBy({ _tag: "KeyRevoked", keyId: active.keyId, atMs: NOON })
  /** A lookup that is sent before a revocation and answered after it. */
  const lookUpDuringRevocation = Effect.gen(function* () {
    yield* answers.close
    const lookup = yield* Effect.forkChild(byHash(active.hash), { startImmediately: true })
    yield* settled
    yield* revoke
    yield* answers.open
    yield* Fiber.join(lookup)
  })
  return { statements, byHash, invalidate, store, revokeBy, revoke, lookUpDuringRevocation }
})

const revoked: ApiKey = { ...active, revokedAtMs: NOON }

const consent = {
  clientId: "chat",
  clientHost: "chat.example",
  memberId: MemberId.make("mem_a"),
  atMs: NOON,
  seesAccount: true
}

describe("a cached key", () => {
  it.effect.each([
    { _tag: "KeyRevoked", keyId: KeyId.make("key_a"), atMs: NOON },
    { _tag: "KeyLimited", keyId: KeyId.make("key_a"), limits },
    { _tag: "ConsentRenewed", keyId: KeyId.make("con_a"), label: "Chat", scopes: ["read"], limits, consent }
  ] satisfies ReadonlyArray<Change>)("is looked up again after $_tag of this instance, at once", (change) =>
    Effect.gen(function* () {
      const { byHash, revokeBy } = yield* testCache
      expect(yield* byHash(active.hash)).toEqual(active)
      yield* revokeBy(change)
      expect(yield* byHash(active.hash)).toEqual(revoked)
    })
  )
})

describe("a statement", () => {
  it.effect("reads the database's clock once, so that a key and the state it is cached under are of one moment", () =>
    Effect.gen(function* () {
      const { statements, byHash, invalidate } = yield* testCache
      yield* byHash(active.hash)
      yield* invalidate({ _tag: "KeyRevoked", keyId: KeyId.make("key_b"), atMs: NOON })
      yield* byHash(active.hash)
      const readings = new Map(statements.map((sql) => [sql, sql.split("clock_timestamp()").length - 1]))
      expect([...readings.values()]).toEqual([1, 1])
    })
  )
})

describe("a key that this instance rotates", () => {
  it.effect("is found by both of its texts, and by no other, as it is from then on", () =>
    Effect.gen(function* () {
      const { byHash, store } = yield* testCache
      expect(yield* byHash(active.hash)).toEqual(active)
      expect(yield* byHash(rotated.hash)).toBeNull()
      yield* store(rotated, rotation)
      for (const hash of [active.hash, rotated.hash]) expect(yield* byHash(hash)).toEqual(rotated)
      expect(yield* byHash("hash of no text")).toBeNull()
    })
  )

  it.effect("is revoked under both at once", () =>
    Effect.gen(function* () {
      const { byHash, store, revoke } = yield* testCache
      const texts = [active.hash, rotated.hash]
      yield* store(rotated, rotation)
      for (const hash of texts) expect(yield* byHash(hash)).toEqual(rotated)
      yield* revoke
      for (const hash of texts) expect(yield* byHash(hash)).toEqual({ ...rotated, revokedAtMs: NOON })
    })
  )
})

describe("a key that this instance revokes during a lookup", () => {
  it.effect("is revoked from then on", () =>
    Effect.gen(function* () {
      const { byHash, lookUpDuringRevocation } = yield* testCache
      yield* lookUpDuringRevocation
      expect(yield* byHash(active.hash)).toEqual(revoked)
    })
  )

  it.effect("is revoked from then on, also if it was cached before", () =>
    Effect.gen(function* () {
      const { byHash, invalidate, lookUpDuringRevocation } = yield* testCache
      expect(yield* byHash(active.hash)).toEqual(active)
      yield* invalidate({ _tag: "KeyRevoked", keyId: KeyId.make("key_b"), atMs: NOON })
      yield* lookUpDuringRevocation
      expect(yield* byHash(active.hash)).toEqual(revoked)
    })
  )
})
