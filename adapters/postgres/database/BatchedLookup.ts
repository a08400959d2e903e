// Look-ups of many callers in one statement: whoever looks while others do goes with the next.
import { Effect, Exit, type Scope } from "effect"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { completeAll, MAX_BATCH_SIZE, makeBatcher } from "./Batcher.ts"
import type { Database } from "./Database.ts"

const AT_ONCE = 2

/** `look` finds for each question its answer, in their order. */
export const makeBatchedLookup = <Question, Answer>(
  { admission: room }: Database["Service"],
  look: (questions: ReadonlyArray<Question>) => Effect.Effect<ReadonlyArray<Answer>, StoreUnavailable>
): Effect.Effect<(question: Question) => Effect.Effect<Answer, StoreUnavailable>, never, Scope.Scope> =>
  makeBatcher<Question, Answer, never>({
    maxConcurrent: AT_ONCE,
    admission: room,
    batchSize: () => MAX_BATCH_SIZE,
    runBatch: (aboard) =>
      Effect.map(Effect.exit(look(aboard.map(({ input: cargo }) => cargo))), (exit) => {
        if (Exit.isFailure(exit)) return completeAll(aboard, Exit.failCause(exit.cause))
        for (const [index, one] of aboard.entries()) {
          const answer = exit.value[index]
          completeAll([one], answer === undefined ? Exit.die("every question has its answer") : Exit.succeed(answer))
        }
      })
  })
