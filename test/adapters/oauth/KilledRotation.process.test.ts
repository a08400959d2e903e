// The service, as a process over PostgreSQL, is killed after it has rotated a refresh token in the store and before its answer leaves: the
// client goes on with the old token, and no person is asked again.
import { createHash, randomBytes } from "node:crypto"
import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted } from "effect"
import { describe, expect } from "vitest"
import { freePort } from "#adapters/postgres/embedded/Postmaster.ts"
import { ROTATION_GRACE_MS } from "#core/domain/access/OAuthArtifact.ts"
import { lossyConnection } from "#test/adapters/postgres/database/LossyConnection.ts"
import { freshDatabase } from "#test/adapters/postgres/TestDatabase.ts"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import { openDirectAccess } from "#test/programs/kills/DirectAccess.ts"
import { InstanceSlot } from "#test/programs/kills/Instances.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { makeBrowser } from "./Browser.ts"
import { callApi, connect, consentAt, refresh, tokensOf } from "./Flow.ts"
import { makeProvider, withModern } from "./SdkClients.ts"

const inDatabase = Effect.die(new Error("the books are in the database"))

/** A process whose way to the database is a proxy, an owner's browser, and the means to kill it at one moment. */
const startService = Effect.gen(function* () {
  const database = yield* freshDatabase
  const proxy = yield* lossyConnection(database)
  const port = yield* Effect.promise(freePort)
  const url = `http://127.0.0.1:${port}`
  const environment = {
    STORE: "postgres",
    DATABASE_URL: Redacted.value(proxy.url),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    PUBLIC_URL: url,
    PORT: String(port),
    PAYMENTS: "simulated",
    LOG_LEVEL: "error"
  }
  const direct = yield* Effect.acquireRelease(
    Effect.sync(() => openDirectAccess(environment, Redacted.value(database))),
    ({ close }) => Effect.promise(close)
  )
  const process = yield* Effect.acquireRelease(
    Effect.sync(() => new InstanceSlot(environment)),
    (slot) => Effect.promise(() => slot.kill())
  )
  yield* Effect.promise(() => process.start())
  const { owner } = yield* Effect.promise(() => direct.run(openAccount))
  const rows = (sql: string) => Effect.promise(() => direct.rows(sql))
  const numberOf = (kind: string) =>
    Effect.map(rows(`SELECT FROM oauth_artifacts WHERE kind = '${kind}'`), ({ length }) => length)

  /** The new artifact of this kind is in the store, and the process never hears of it. The process runs again afterwards. */
  const killOnceKept = Effect.fnUntraced(function* (
    kind: string,
    send: Effect.Effect<unknown, unknown, RunningService>
  ) {
    const before = yield* numberOf(kind)
    const sent = yield* proxy.withhold(`"kind":"${kind}"`)
    const answer = yield* Effect.forkChild(Effect.exit(send))
    yield* sent
    yield* Effect.repeat(numberOf(kind), { until: (number) => number > before })
    yield* Effect.promise(() => process.kill())
    expect(Exit.isFailure(yield* Fiber.join(answer)), "no answer left").toBe(true)
    yield* Effect.promise(() => process.start())
  })
  return { rows, killOnceKept, owner, place: { url, port, books: inDatabase, rows: inDatabase } }
})

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex")

describe("A refresh whose service is killed", () => {
  it.live("once the new refresh token is kept can be sent again for 60 seconds, and not later", () =>
    Effect.gen(function* () {
      const { rows, killOnceKept, owner, place } = yield* startService
      yield* Effect.gen(function* () {
        const { request, tokens } = yield* connect(yield* makeBrowser(owner))
        const again = refresh(request.clientId, tokens.refresh)
        yield* killOnceKept("RefreshToken", again)
        const [old] = yield* rows(`SELECT consumed_at_ms FROM oauth_artifacts WHERE hash = '${hashOf(tokens.refresh)}'`)
        expect(old?.["consumed_at_ms"], "the token was rotated").not.toBe(null)
        const next = tokensOf(yield* again)
        expect((yield* callApi(next.access)).status).toBe(200)
        expect((yield* refresh(request.clientId, next.refresh)).status).toBe(200)
        yield* rows(`UPDATE oauth_artifacts SET consumed_at_ms = consumed_at_ms - ${ROTATION_GRACE_MS}
          WHERE hash = '${hashOf(tokens.refresh)}'`)
        expect((yield* again).body["error"]).toBe("invalid_grant")
        expect(yield* rows("SELECT FROM oauth_artifacts WHERE kind IN ('Grant', 'RefreshToken')")).toHaveLength(0)
      }).pipe(Effect.provideService(RunningService, place))
    }).pipe(Effect.scoped)
  )

  it.live("once all is kept that it answers with is sent again by the official client, without a person", () =>
    Effect.gen(function* () {
      const { rows, killOnceKept, owner, place } = yield* startService
      yield* Effect.gen(function* () {
        const { provider, asked, kept } = makeProvider()
        const client = yield* Effect.promise(() => withModern(new URL("/mcp", place.url), provider))
        const balance = Effect.tryPromise(() => client.call("check_balance", {}))
        yield* Effect.flip(balance)
        const answer = yield* consentAt(yield* makeBrowser(owner), String(asked[0]))
        yield* Effect.promise(() => client.finish(answer.searchParams))
        const old = kept["tokens"]
        // The hour of the first access token is over.
        yield* rows("UPDATE oauth_artifacts SET expires_at_ms = 0 WHERE kind = 'AccessToken'")
        yield* killOnceKept("AccessToken", balance)
        expect(kept["tokens"]).toEqual(old)
        expect(yield* balance).toMatchObject({ structuredContent: { ok: true } })
        expect(kept["tokens"]).not.toEqual(old)
        yield* Effect.promise(() => client.close())
      }).pipe(Effect.provideService(RunningService, place))
    }).pipe(Effect.scoped)
  )
})
