// The use cases over the deployment's database, in this process: what an operator does, and reads of the books. Calls wait while the
// database restarts.

import { ConfigProvider, Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { authorizationServer } from "#adapters/app/OAuth.ts"
import { portsWithStore } from "#adapters/app/Ports.ts"
import * as UseCases from "#adapters/app/UseCases.ts"
import { settings } from "#adapters/config/Settings.ts"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { execute } from "#test/adapters/postgres/TestDatabase.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import type { Environment } from "./Instances.ts"

const layerOf = (environment: Environment, url: string) =>
  Layer.unwrap(
    Effect.map(settings.parse(ConfigProvider.fromUnknown(environment)), (config) => {
      const store = PostgresStore.layer({
        url: Redacted.make(url),
        connections: 6,
        maxWait: "60 seconds",
        maxWaiting: 100_000
      })
      const publicUrl = environment["PUBLIC_URL"] ?? ""
      return UseCases.layer.pipe(
        Layer.provideMerge(authorizationServer(config, publicUrl)),
        Layer.provideMerge(portsWithStore(config, publicUrl, store)),
        Layer.provideMerge(Layer.merge(UniqueNumbers.layer, Logger.layer([])))
      )
    })
  )

type Services = Layer.Success<ReturnType<typeof layerOf>>

export interface DirectAccess {
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>
  /** Rows of a query by the database's owner. */
  readonly rows: (sql: string) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
  readonly close: () => Promise<void>
}

export const openDirectAccess = (environment: Environment, url: string): DirectAccess => {
  const runtime = ManagedRuntime.make(layerOf(environment, url))
  return {
    run: (effect) => runtime.runPromise(effect),
    rows: (sql) => Effect.runPromise(execute(Redacted.make(url), sql)).then(([rows]) => rows ?? []),
    close: () => runtime.dispose()
  }
}

/** Retries while the store is unavailable. The effect must be safe to run twice. */
export const retryWhileUnavailable = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.retry(effect, { while: ({ _tag }) => _tag === "StoreUnavailable" })
