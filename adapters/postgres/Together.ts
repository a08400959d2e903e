// Look-ups of many callers in one statement: whoever looks while others do goes with the next.
import { Effect, Exit, type Scope } from "effect"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import type { Database } from "./Database.ts"
import { flights, land, MOST } from "./Flights.ts"

const AT_ONCE = 2

/** `look` finds for each question its answer, in their order. */
export const together = <Question, Answer>(
  { room }: Database["Service"],
  look: (questions: ReadonlyArray<Question>) => Effect.Effect<ReadonlyArray<Answer>, StoreUnavailable>
): Effect.Effect<(question: Question) => Effect.Effect<Answer, StoreUnavailable>, never, Scope.Scope> =>
  flights<Question, Answer, never>({
    atOnce: AT_ONCE,
    room,
    board: () => MOST,
    carry: (aboard) =>
      Effect.map(Effect.exit(look(aboard.map(({ cargo }) => cargo))), (exit) => {
        if (Exit.isFailure(exit)) return land(aboard, Exit.failCause(exit.cause))
        for (const [index, one] of aboard.entries()) {
          const answer = exit.value[index]
          land([one], answer === undefined ? Exit.die("every question has its answer") : Exit.succeed(answer))
        }
      })
  })
