// A database whose rows are broken past its triggers, foreign keys and checks, and what reconciliation then says of it.
import { Context, Effect, Layer, type Redacted } from "effect"
import { Reconciliation } from "#core/ports/Reconciliation.ts"
import { UniqueNumbers } from "#test/ports/StoreSuite.ts"
import { storeInstance } from "./StoreInstances.ts"
import { execute, freshDatabase } from "./TestDatabase.ts"

class Address extends Context.Service<Address, Redacted.Redacted>()("backlinks/test/Address") {}

export const store = Layer.unwrap(
  Effect.map(freshDatabase, (url) =>
    Layer.mergeAll(storeInstance(url), Layer.succeed(Address, url), UniqueNumbers.layer)
  )
)

/** As the server's owner may, and nobody else. */
export const corrupt = Effect.fnUntraced(function* (...statements: ReadonlyArray<string>) {
  yield* execute(yield* Address, "SET session_replication_role = replica", ...statements)
})

/** The laws that are broken about this. */
export const violationsAbout = Effect.fnUntraced(function* (subject: string) {
  const { reconcile: prove } = yield* Reconciliation
  const { violations: findings } = yield* prove(1_000)
  return new Set(findings.filter((one) => one.subject === subject).map(({ invariant: law }) => law))
})
