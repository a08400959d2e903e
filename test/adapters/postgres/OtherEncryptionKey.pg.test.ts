// A service that starts with another encryption key than before, as after a restore, logs an error and still takes orders.
import { randomBytes } from "node:crypto"
import { it } from "@effect/vitest"
import { Effect, Layer, type Redacted } from "effect"
import { expect } from "vitest"
import { ResealSigningKeys } from "#core/usecases/webhooks/ResealSigningKeys.ts"
import { buyer } from "#test/scenarios/Buyers.ts"
import { LogLines, layerLogLines, RunningService } from "#test/scenarios/RunningService.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { serviceOn } from "./ServiceOnPostgres.ts"

const randomKey = () => randomBytes(32).toString("base64")

/** Runs `work` in a service with this encryption key. Returns its result, and the logged errors about the key. */
const during = <A, E, R>(
  url: Redacted.Redacted,
  ENCRYPTION_KEY: string,
  work: Effect.Effect<A, E, R>,
  env: Record<string, string> = {}
) =>
  Effect.gen(function* () {
    const done = yield* work
    const { lines } = yield* LogLines
    return { done, errors: lines.filter((line) => line.includes('"ERROR"') && line.includes("ENCRYPTION_KEY")) }
  }).pipe(
    Effect.provide(
      serviceOn(url, { ENCRYPTION_KEY, WEBHOOK_INSECURE_TARGETS: "true", ...env }).pipe(
        Layer.provideMerge(Layer.fresh(layerLogLines))
      )
    )
  )

const subscribe = Effect.gen(function* () {
  const { url } = yield* RunningService
  const { api } = yield* buyer()
  const { id } = yield* api.webhooks.createWebhook({ payload: { url: `${url}/healthz`, events: ["order.accepted"] } })
  return id
})

it.live("logs an error at every start if the webhooks' signing keys were sealed with another key", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const [before, after] = [randomKey(), randomKey()]
    // No key was sealed, because there is no webhook yet.
    expect((yield* during(url, randomKey(), Effect.void)).errors).toEqual([])
    const { done: webhookId, errors: atFirst } = yield* during(url, before, subscribe)
    expect(atFirst).toEqual([])
    expect((yield* during(url, before, Effect.void)).errors).toEqual([])
    for (const work of [Effect.void, buyer()]) {
      const { errors } = yield* during(url, after, work)
      expect(errors).toEqual([expect.stringContaining("Set it to the earlier key and start again")])
      expect(errors[0]).toContain(webhookId)
      expect(errors[0]).not.toContain(after)
    }
  })
)

it.live("opens what was sealed under the previous key, and no longer needs it after sealing all of it again", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const [before, after] = [randomKey(), randomKey()]
    const pass = ResealSigningKeys.use((reseal) => reseal.pass())
    expect((yield* during(url, before, subscribe)).done).toMatch(/^wh_[0-9a-z]{28}$/)
    const { done: first, errors } = yield* during(url, after, pass, { ENCRYPTION_KEY_PREVIOUS: before })
    expect(first).toMatchObject({ unopened: 0 })
    expect(errors).toEqual([])
    const alone = yield* during(url, after, pass)
    expect(alone.done).toEqual({ resealed: 0, unopened: 0 })
    expect(alone.errors).toEqual([])
    expect((yield* during(url, before, pass)).done).toEqual({ resealed: 0, unopened: 1 })
  })
)
