// The recipes of core/README.md are followed on a copy of the project. At each step the compiler or a test tells of the places that are
// not entered yet, and at the end both are content.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { addError } from "./AddError.ts"
import { addField } from "./AddField.ts"
import type { Edit } from "./Edit.ts"
import type { Place, Recipe } from "./Recipe.ts"
import { compile, editedTree, runTests } from "./Tree.ts"

const RECIPES: ReadonlyArray<Recipe> = [addField, addError]

/** Followed together, because each look at a tree takes seconds. */
const steps = Array.from({ length: Math.max(...RECIPES.map(({ steps }) => steps.length)) }, (_, index) =>
  RECIPES.flatMap(({ steps }) => steps[index] ?? [])
)

const places = steps.flat()

/** Everything that is entered before the step. */
const editsBefore = (step: number): ReadonlyArray<Edit> => [
  ...RECIPES.flatMap(({ beginning }) => beginning),
  ...steps.slice(0, step).flatMap((entered) => entered.flatMap(({ edits }) => edits))
]

const tests = (some: ReadonlyArray<Place>) => some.filter(({ told }) => told.by === "test")

const runTestsOf = (root: string, some: ReadonlyArray<Place>) =>
  runTests(
    root,
    some.map(({ told }) => told.file),
    some.flatMap(({ told }) => told.name ?? [])
  )

/** Each with its indented lines. */
const errorsIn = (output: string): ReadonlyArray<string> => output.split(/\n(?=\S)/)

/** An error of the compiler in the place's file, or a failure of its test. */
const tells = ({ told }: Place, output: string): boolean =>
  told.by === "compiler"
    ? errorsIn(output).some((error) => error.startsWith(`${told.file}(`) && told.words.test(error))
    : output.includes(`FAIL  ${told.file}`) && told.words.test(output)

/** The lines of an output that say what is wrong. */
const faultsIn = (output: string): string =>
  output
    .split("\n")
    .filter((line) => /error|FAIL/i.test(line))
    .slice(0, 40)
    .join("\n")

/** The places of the step that no message names, with what was said instead. */
const untold = Effect.fnUntraced(function* (step: number) {
  const missing = steps[step] ?? []
  const root = yield* editedTree(editsBefore(step))
  const compiled = missing.length > tests(missing).length ? (yield* compile(root)).output : ""
  const tested = tests(missing).length > 0 ? (yield* runTestsOf(root, tests(missing))).output : ""
  const silent = missing.filter((place) => !tells(place, place.told.by === "compiler" ? compiled : tested))
  return silent.length === 0 ? "" : `${silent.map(({ what }) => what).join(", ")}:\n${faultsIn(compiled + tested)}`
}, Effect.scoped)

/** What the compiler and the tests say of the tree in which every place is entered. */
const complaints = Effect.gen(function* () {
  const root = yield* editedTree(editsBefore(steps.length))
  const outcomes = [yield* compile(root), yield* runTestsOf(root, tests(places))]
  return outcomes.filter(({ succeeded }) => !succeeded).map(({ output }) => faultsIn(output))
}).pipe(Effect.scoped)

it.live(
  "adding a field and adding an error: the compiler or a test tells of every place not entered yet, and of none at the end",
  () =>
    Effect.gen(function* () {
      const told = Effect.forEach(steps.keys(), untold, { concurrency: 2 })
      const [silent, left] = yield* Effect.all([told, complaints], { concurrency: 2 })
      expect(silent.filter((text) => text !== "")).toEqual([])
      expect(left).toEqual([])
    })
)
