// A database whose rows are changed by statements that bypass the service: what it refuses, and, behind its triggers, foreign keys and
// checks, the violations that reconciliation finds.
import { Context, Effect, Layer, type Redacted } from "effect"
import { expect } from "vitest"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { storeInstance } from "./StoreInstances.ts"
import { execute } from "./TestDatabase.ts"

class Address extends Context.Service<Address, Redacted.Redacted>()("backlinks/test/Address") {}

export const store = Layer.unwrap(
  Effect.map(migratedDatabase, (url) =>
    Layer.mergeAll(storeInstance(url), Layer.succeed(Address, url), UniqueNumbers.layer)
  )
)

export const run = Effect.fnUntraced(function* (statement: string) {
  return yield* execute(yield* Address, statement)
})

/** The database's error message contains this text, such as the name of a constraint. */
export const refuses = Effect.fnUntraced(function* (statement: string, words: string) {
  const refusal = yield* Effect.flip(run(statement))
  expect(String(refusal.reason.cause)).toContain(words)
})

/** Runs statements without triggers and foreign keys. Returns the rows of each, the setting's first. */
export const corrupt = Effect.fnUntraced(function* (...statements: ReadonlyArray<string>) {
  return yield* execute(yield* Address, "SET session_replication_role = replica", ...statements)
})

/** The invariants that are violated for this subject. */
export const violationsAbout = Effect.fnUntraced(function* (subject: string) {
  const { reconcile } = yield* Reconciliation
  const { violations } = yield* reconcile(1_000)
  return new Set(violations.filter((one) => one.subject === subject).map(({ invariant }) => invariant))
})
