// Properties of a store that a suite has built; as in `#test/Property.ts`, 1,000 cases by default and a printed seed.
import { Effect } from "effect"
import fc from "fast-check"
import { describeRun, planFrom } from "#test/Property.ts"

/** For every generated value the effect succeeds. Cases run one after the other against the same store. */
export const holdsForAll = Effect.fnUntraced(function* <A, E, R>(
  name: string,
  arbitrary: fc.Arbitrary<A>,
  check: (value: A) => Effect.Effect<void, E, R>
) {
  const run = Effect.runPromiseWith(yield* Effect.context<R>())
  const { runs: numRuns, seed } = planFrom(process.env)
  const property = fc.asyncProperty(arbitrary, (value) => run(check(value)))
  const details = yield* Effect.promise(() => fc.check(property, { numRuns, seed }))
  console.log(describeRun(name, details))
})
