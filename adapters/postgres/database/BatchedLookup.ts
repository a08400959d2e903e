// Looks up the keys of many callers in one statement.
import { Effect, Exit, type Scope } from "effect"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { completeAll, makeBatcher } from "./Batcher.ts"
import type { Database } from "./Database.ts"

const MAX_CONCURRENT_LOOKUPS = 2

/** `lookUpAll` returns one result per key, in the order of the keys. */
export const makeBatchedLookup = <Key, A>(
  { admission }: Database["Service"],
  lookUpAll: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<A>, StoreUnavailable>
): Effect.Effect<(key: Key) => Effect.Effect<A, StoreUnavailable>, never, Scope.Scope> =>
  makeBatcher<Key, A, never>({
    maxConcurrent: MAX_CONCURRENT_LOOKUPS,
    admission,
    runBatch: (batch) =>
      Effect.map(Effect.exit(lookUpAll(batch.map(({ input }) => input))), (exit) => {
        if (Exit.isFailure(exit)) return completeAll(batch, Exit.failCause(exit.cause))
        for (const [index, entry] of batch.entries()) {
          const found = exit.value[index]
          completeAll([entry], found === undefined ? Exit.die("every key has its answer") : Exit.succeed(found))
        }
      })
  })
