// What the library keeps, as the store has it: under hashes alone, without its ids, and a code once even where two requests have read it.
import { createHash } from "node:crypto"
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { layer as memoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import { layer as memoryGrants } from "#adapters/memory/ports/access/Grants.ts"
import { makeAdapter } from "#adapters/oauth/ArtifactAdapter.ts"
import { Grants } from "#core/ports/access/Grants.ts"

const grants = memoryGrants.pipe(Layer.provide(memoryBooks))

const PUBLIC_URL = "https://shop.example"

const hashOf = (id: string): string => createHash("sha256").update(id).digest("hex")

const idOf = (kind: string): string => `${kind}-with-a-long-secret-"id"`

const kept = Effect.map(Grants, (grants) => ({
  grants,
  adapter: makeAdapter({ publicUrl: PUBLIC_URL, grants, run: Effect.runPromise })
}))

describe("what the library keeps", () => {
  for (const kind of ["Client", "Interaction", "Grant", "AuthorizationCode", "AccessToken", "RefreshToken"] as const) {
    it.live(`of a ${kind} comes back whole, and its ids are stored nowhere`, () =>
      Effect.gen(function* () {
        const { grants, adapter } = yield* kept
        const [id, grantId] = [idOf(kind), idOf("a grant")]
        yield* Effect.promise(() => adapter("Grant").upsert(grantId, { jti: grantId, kind: "Grant" }, 60))
        const ofGrant = kind.endsWith("Token") || kind.endsWith("Code") ? { grantId } : {}
        const payload = { jti: id, uid: id, returnTo: `${PUBLIC_URL}/oauth/authorize/${id}`, scope: "read", ...ofGrant }
        yield* Effect.promise(() => adapter(kind).upsert(id, payload, 60))
        const stored = Object.values((yield* grants.find(kind, hashOf(id))) ?? {}).join("\n")
        for (const secret of [id, JSON.stringify(id).slice(1, -1), grantId, JSON.stringify(grantId).slice(1, -1)]) {
          expect(stored).not.toContain(secret)
        }
        const found = yield* Effect.promise(() => adapter(kind).find(id))
        const reference = "grantId" in payload ? { grantId: `sha256:${hashOf(grantId)}` } : {}
        expect(found).toEqual({ ...payload, ...reference })
        expect(yield* Effect.promise(() => adapter("Grant").find(`sha256:${hashOf(grantId)}`))).toMatchObject({
          kind: "Grant"
        })
        // Only a grant is found by its hash.
        if (kind !== "Grant") {
          expect(yield* Effect.promise(() => adapter(kind).find(`sha256:${hashOf(id)}`))).toBe(undefined)
        }
      }).pipe(Effect.provide(grants))
    )
  }

  it.live("of a code counts once: of two requests that have read it, the second ends the grant", () =>
    Effect.gen(function* () {
      const { grants, adapter } = yield* kept
      const [id, grantId] = [idOf("a code"), idOf("a grant")]
      const codes = adapter("AuthorizationCode")
      yield* Effect.promise(() => adapter("Grant").upsert(grantId, { jti: grantId, kind: "Grant" }, 60))
      yield* Effect.promise(() => codes.upsert(id, { jti: id, grantId }, 60))
      for (const read of [yield* Effect.promise(() => codes.find(id)), yield* Effect.promise(() => codes.find(id))]) {
        expect(read).not.toHaveProperty("consumed")
      }
      yield* Effect.promise(() => codes.consume(id))
      const refused = yield* Effect.promise(() => codes.consume(id).catch((error: unknown) => String(error)))
      expect(refused).toContain("invalid_grant")
      expect(yield* grants.find("Grant", hashOf(grantId))).toBe(null)
    }).pipe(Effect.provide(grants))
  )
})
