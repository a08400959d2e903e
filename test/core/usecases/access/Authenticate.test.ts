// Whom a key or an access token lets in: as what, for which resource, until when, and at which cost.

import { createHash } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { it } from "@effect/vitest"
import { Effect, Layer, Redacted, type Result } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { type AccessToken, TOKEN_FRESH_MS } from "#core/domain/access/AccessToken.ts"
import type { ApiKey, Caller } from "#core/domain/access/ApiKey.ts"
import { formatKey } from "#core/domain/access/ApiKeyFormat.ts"
import type { OAuthArtifact } from "#core/domain/access/OAuthArtifact.ts"
import { KeyId, MemberId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Authenticate } from "#core/usecases/access/Authenticate.ts"
import { key } from "#test/core/Given.ts"

const KEY = formatKey("live", new Uint8Array(40).fill(7))
const TOKEN = "pVx3hYq9-_Zt1nQeR7uWk2LmB8cDfGjA0sXvTyUiOpE"
const HOUR_MS = 3_600_000

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const connection: ApiKey = {
  ...key("con_chat", "acc_rich", { hash: "con_chat", scopes: ["read", "order"] }),
  consent: { clientId: "chat", clientHost: "chat", memberId: MemberId.make("mem_rich"), atMs: 0, seesAccount: true }
}

const token = (over: Partial<AccessToken> = {}): AccessToken => ({
  connectionId: KeyId.make("con_chat"),
  scopes: ["read"],
  resource: "service",
  expiresAtMs: HOUR_MS,
  ...over
})

const artifactOf = ({ expiresAtMs, ...access }: AccessToken): OAuthArtifact => ({
  ...{ kind: "AccessToken", hash: sha256(TOKEN), grantHash: "grant", clientHash: null, payload: "{}" },
  ...{ createdAtMs: 0, expiresAtMs, consumedAtMs: null, successor: null, requester: null, unused: false, access }
})

interface Asked {
  tokens: number
  readonly keys: Array<string>
  readonly uses: Array<string>
}

/** Credentials and tokens that a test changes at will, and what was asked of the stores. */
const setUp = (issued: AccessToken | null = token()) => {
  const state = { token: issued, isUp: true, keys: [connection, key("key_rich", "acc_rich", { hash: sha256(KEY) })] }
  const asked: Asked = { tokens: 0, keys: [], uses: [] }
  const grants = Layer.mock(Grants, {
    find: (kind, hash) =>
      Effect.suspend(() => {
        asked.tokens++
        if (!state.isUp) return Effect.fail(new StoreUnavailable({ retryAfterSeconds: 1 }))
        const isIssued = kind === "AccessToken" && hash === sha256(TOKEN)
        return Effect.succeed(isIssued && state.token !== null ? artifactOf(state.token) : null)
      })
  })
  const keys = Layer.mock(ApiKeys, {
    byHash: (hash) =>
      Effect.sync(() => {
        asked.keys.push(hash)
        return state.keys.find((one) => one.hash === hash) ?? null
      }),
    recordUse: (keyId) => Effect.sync(() => void asked.uses.push(keyId))
  })
  const layer = Authenticate.layer.pipe(Layer.provide([grants, keys, NodeCrypto.layerDigest]))
  return { state, asked, layer }
}

type Setup = ReturnType<typeof setUp>

const scenario = (issued: AccessToken | null, run: (setup: Setup) => Effect.Effect<void, unknown, Authenticate>) =>
  Effect.suspend(() => {
    const setup = setUp(issued)
    return Effect.provide(run(setup), setup.layer)
  })

const ask = (text: string, resource?: AccessToken["resource"]) =>
  Effect.flatMap(Authenticate, ({ authenticate }) => Effect.result(authenticate(Redacted.make(text), resource)))

const outcome = (result: Result.Result<Caller, { readonly _tag: string }>): string =>
  result._tag === "Success" ? `${result.success.keyId} ${result.success.scopes.join("+")}` : result.failure._tag

const answers = (text: string, resource?: AccessToken["resource"]) => Effect.map(ask(text, resource), outcome)

describe("an access token", () => {
  it.effect("lets its connection in, with the scopes that both have, and counts as its use", () =>
    scenario(token(), ({ state, asked }) =>
      Effect.gen(function* () {
        expect((yield* ask(TOKEN))._tag).toBe("Success")
        expect(yield* answers(TOKEN)).toBe("con_chat read")
        state.keys = [{ ...connection, scopes: ["order"] }]
        expect(yield* answers(TOKEN)).toBe("con_chat ")
        expect(asked.uses).toEqual(["con_chat", "con_chat", "con_chat"])
      })
    )
  )

  it.effect("with more scopes than its connection has no more than that", () =>
    scenario(token({ scopes: ["read", "order"] }), ({ state }) =>
      Effect.gen(function* () {
        state.keys = [{ ...connection, scopes: ["read"] }]
        expect(yield* answers(TOKEN)).toBe("con_chat read")
      })
    )
  )

  it.effect("opens the resource that it was issued for, and no other", () =>
    Effect.all([
      scenario(token(), () =>
        Effect.gen(function* () {
          expect(yield* answers(TOKEN, "service")).toBe("con_chat read")
          expect(yield* answers(TOKEN, "catalog")).toBe("InvalidApiKey")
        })
      ),
      scenario(token({ resource: "catalog" }), () =>
        Effect.gen(function* () {
          expect(yield* answers(TOKEN)).toBe("InvalidApiKey")
          expect(yield* answers(TOKEN, "catalog")).toBe("con_chat read")
        })
      )
    ])
  )

  it.effect("ends at its expiry, to the millisecond", () =>
    scenario(token({ expiresAtMs: 900 }), () =>
      Effect.gen(function* () {
        yield* TestClock.adjust(899)
        expect(yield* answers(TOKEN)).toBe("con_chat read")
        yield* TestClock.adjust(1)
        expect(yield* answers(TOKEN)).toBe("InvalidApiKey")
      })
    )
  )

  it.effect("of a revoked connection is refused as revoked, at once", () =>
    scenario(token(), ({ state, asked }) =>
      Effect.gen(function* () {
        yield* answers(TOKEN)
        state.keys = [{ ...connection, revokedAtMs: 1 }]
        expect(yield* answers(TOKEN)).toBe("RevokedApiKey")
        expect(asked.uses).toHaveLength(1)
      })
    )
  )

  it.effect("that names no connection is refused", () =>
    scenario(token({ connectionId: KeyId.make("con_none") }), () =>
      Effect.gen(function* () {
        expect(yield* answers(TOKEN)).toBe("InvalidApiKey")
      })
    )
  )

  it.effect("is looked up once in half a second, and no longer known after that once it is gone", () =>
    scenario(token(), ({ state, asked }) =>
      Effect.gen(function* () {
        const all = yield* Effect.all(
          Array.from({ length: 20 }, () => answers(TOKEN)),
          { concurrency: "unbounded" }
        )
        expect(new Set(all)).toEqual(new Set(["con_chat read"]))
        yield* TestClock.adjust(TOKEN_FRESH_MS - 1)
        state.token = null
        yield* answers(TOKEN)
        expect(asked.tokens).toBe(1)
        yield* TestClock.adjust(1)
        expect(yield* answers(TOKEN)).toBe("InvalidApiKey")
      })
    )
  )

  it.effect("that was not known, or could not be looked up, is looked up again", () =>
    scenario(null, ({ state }) =>
      Effect.gen(function* () {
        expect(yield* answers(TOKEN)).toBe("InvalidApiKey")
        state.token = token()
        state.isUp = false
        expect(yield* answers(TOKEN)).toBe("StoreUnavailable")
        state.isUp = true
        expect(yield* answers(TOKEN)).toBe("con_chat read")
      })
    )
  )
})

describe("a text", () => {
  it.effect("of a key is looked up among the keys alone, for every resource", () =>
    scenario(token(), ({ asked }) =>
      Effect.gen(function* () {
        expect(yield* answers(KEY)).toBe("key_rich read+order")
        expect(yield* answers(KEY, "catalog")).toBe("key_rich read+order")
        expect(yield* answers(`${KEY.slice(0, -1)}!`)).toBe("InvalidApiKey")
        expect(asked.tokens).toBe(0)
      })
    )
  )

  it.effect("is known by its own text when it comes again, and refused once it is revoked", () =>
    scenario(null, ({ state, asked }) =>
      Effect.gen(function* () {
        const other = formatKey("live", new Uint8Array(40).fill(9))
        const otherKey = key("key_other", "acc_rich", { hash: sha256(other) })
        state.keys = [...state.keys, otherKey]
        const callers = yield* Effect.forEach([KEY, other, KEY, other], (text) => answers(text))
        expect(callers.map((caller) => caller.split(" ")[0])).toEqual([
          "key_rich",
          "key_other",
          "key_rich",
          "key_other"
        ])
        expect(asked.keys).toEqual([sha256(KEY), sha256(other), sha256(KEY), sha256(other)])
        state.keys = [{ ...otherKey, revokedAtMs: 0 }]
        expect([yield* answers(KEY), yield* answers(other)]).toEqual(["InvalidApiKey", "RevokedApiKey"])
      })
    )
  )

  it.effect.each([
    "con_chat",
    "short",
    "sn_live_",
    "pVx3hYq9 _Zt1nQeR7uWk2LmB8cDfGjA0sXvTyUiOpE",
    "é".repeat(40),
    "a".repeat(600)
  ])("that can be neither a key nor a token is refused without a look-up: %s", (text) =>
    scenario(token(), ({ asked }) =>
      Effect.gen(function* () {
        expect(yield* answers(text)).toBe("InvalidApiKey")
        expect([asked.tokens, asked.keys]).toEqual([0, []])
      })
    )
  )

  it.effect("that is empty is none", () =>
    scenario(null, () =>
      Effect.gen(function* () {
        expect(yield* answers("")).toBe("MissingApiKey")
      })
    )
  )
})
