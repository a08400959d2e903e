// A database whose rows are changed behind its triggers, foreign keys and checks, and the violations that reconciliation finds.
import { Context, Effect, Layer, type Redacted } from "effect"
import { Reconciliation } from "#core/ports/Reconciliation.ts"
import { UniqueNumbers } from "#test/ports/StoreSuite.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { storeInstance } from "./StoreInstances.ts"
import { execute } from "./TestDatabase.ts"

class Address extends Context.Service<Address, Redacted.Redacted>()("backlinks/test/Address") {}

export const store = Layer.unwrap(
  Effect.map(migratedDatabase, (url) =>
    Layer.mergeAll(storeInstance(url), Layer.succeed(Address, url), UniqueNumbers.layer)
  )
)

/** Runs statements without triggers and foreign keys. */
export const corrupt = Effect.fnUntraced(function* (...statements: ReadonlyArray<string>) {
  yield* execute(yield* Address, "SET session_replication_role = replica", ...statements)
})

/** The invariants that are violated for this subject. */
export const violationsAbout = Effect.fnUntraced(function* (subject: string) {
  const { reconcile } = yield* Reconciliation
  const { violations } = yield* reconcile(1_000)
  return new Set(violations.filter((one) => one.subject === subject).map(({ invariant }) => invariant))
})
