// New databases with an empty store: copies of one that is migrated once in a worker, because a copy takes a tenth of the time of all steps.
import { Effect, Layer, type Redacted } from "effect"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { copyOf, execute, freshDatabase } from "./TestDatabase.ts"

interface Copies {
  /** Run before the steps. */
  readonly statements: ReadonlyArray<string>
  /** Settings of each copy itself, as `name = value`. */
  readonly settings: ReadonlyArray<string>
}

export const copiesAfter = ({ statements, settings }: Copies): Effect.Effect<Redacted.Redacted> => {
  const migrated = Effect.gen(function* () {
    const url = yield* freshDatabase
    yield* execute(url, ...statements)
    yield* Effect.scoped(Layer.build(Layer.fresh(PostgresStore.layer({ url }))))
    return url
  })
  let template: Promise<Redacted.Redacted> | undefined
  const once = Effect.promise(() => {
    template ??= Effect.runPromise(migrated)
    return template
  })
  return Effect.flatMap(once, (url) => copyOf(url, settings))
}

export const migratedDatabase = copiesAfter({ statements: [], settings: [] })
