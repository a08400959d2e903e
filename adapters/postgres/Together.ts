// Look-ups of many callers in one statement: whoever looks while others do goes with the next.
import { Effect, Exit, type Scope } from "effect"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import type { Database } from "./Database.ts"
import { flights, land } from "./Flights.ts"

const AT_ONCE = 2

const MOST = 64

/** `look` finds for each question its answer, in their order. */
export const together = <Question, Answer>(
  { room }: Database["Service"],
  look: (questions: ReadonlyArray<Question>) => Effect.Effect<ReadonlyArray<Answer>, StoreUnavailable>
): Effect.Effect<(question: Question) => Effect.Effect<Answer, StoreUnavailable>, never, Scope.Scope> =>
  flights<Question, Answer, never>({
    atOnce: AT_ONCE,
    room,
    board: (waiting) => waiting.splice(0, MOST),
    carry: (aboard) =>
      Effect.map(Effect.exit(look(aboard.map(({ cargo }) => cargo))), (exit) => {
        for (const [index, one] of aboard.entries())
          land(
            [one],
            Exit.map(exit, (answers) => answers[index] as Answer)
          ) // one for each
      })
  })
