// The shop from inside: the use cases over the same database, in the harness's own process, for what an operator does and for
// looking at the books. It gets over restarts of the database as the services do.

import { ConfigProvider, Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { portsWithStore } from "#adapters/app/Ports.ts"
import * as UseCases from "#adapters/app/UseCases.ts"
import { settings } from "#adapters/config/Settings.ts"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { UniqueNumbers } from "#test/ports/StoreSuite.ts"
import { execute } from "#test/postgres/TestDatabase.ts"
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
      return UseCases.layer.pipe(
        Layer.provideMerge(portsWithStore(config, environment["PUBLIC_URL"] ?? "", store)),
        Layer.provideMerge(Layer.merge(UniqueNumbers.layer, Logger.layer([])))
      )
    })
  )

type Services = Layer.Success<ReturnType<typeof layerOf>>

export interface Inside {
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>
  /** Rows, asked for as the database's owner, past the service. */
  readonly rows: (sql: string) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
  readonly close: () => Promise<void>
}

export const openInside = (environment: Environment, url: string): Inside => {
  const runtime = ManagedRuntime.make(layerOf(environment, url))
  return {
    run: (effect) => runtime.runPromise(effect),
    rows: (sql) => Effect.runPromise(execute(Redacted.make(url), sql)).then(([rows]) => rows ?? []),
    close: () => runtime.dispose()
  }
}

/** Again for as long as the store is away: what is asked for may be asked for twice. */
export const insistently = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.retry(effect, { while: ({ _tag }) => _tag === "StoreUnavailable" })
