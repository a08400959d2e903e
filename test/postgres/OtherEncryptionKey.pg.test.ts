// A database that is started on with another encryption key than before, as after a restore: it says so, and sells all the same.
import { randomBytes } from "node:crypto"
import { it } from "@effect/vitest"
import { Effect, Layer, type Redacted } from "effect"
import { expect } from "vitest"
import { buyer } from "#test/scenarios/Buyers.ts"
import { LogLines, layerLogLines, RunningService } from "#test/scenarios/RunningService.ts"
import { serviceOn } from "./ServiceOnPostgres.ts"
import { freshDatabase } from "./TestDatabase.ts"

const fresh = () => randomBytes(32).toString("base64")

/** Starts on this database with a key, does something, stops; answers what came of it, and what of the key was logged as an error. */
const during = <A, E, R>(url: Redacted.Redacted, ENCRYPTION_KEY: string, deed: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const done = yield* deed
    const { lines } = yield* LogLines
    return { done, told: lines.filter((line) => line.includes('"ERROR"') && line.includes("ENCRYPTION_KEY")) }
  }).pipe(
    Effect.provide(
      serviceOn(url, { ENCRYPTION_KEY, WEBHOOK_INSECURE_TARGETS: "true" }).pipe(
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

it.live("says at every start that the keys of webhooks were sealed with another key, and what to do", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const [before, after] = [fresh(), fresh()]
    // No webhook, nothing to say.
    expect((yield* during(url, fresh(), Effect.void)).told).toEqual([])
    const { done: webhookId, told: atFirst } = yield* during(url, before, subscribe)
    expect(atFirst).toEqual([])
    expect((yield* during(url, before, Effect.void)).told).toEqual([])
    for (const deed of [Effect.void, buyer()]) {
      const { told } = yield* during(url, after, deed)
      expect(told).toEqual([expect.stringContaining("Set it to the key from before and start again")])
      expect(told[0]).toContain(webhookId)
      expect(told[0]).not.toContain(after)
    }
  })
)
