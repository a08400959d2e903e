// Output of commands: the result on standard output, as text or with --json as one JSON value; everything else on standard error.
import { Console, Effect, Terminal } from "effect"
import { CliOutput, Flag, GlobalFlag } from "effect/cli"

export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Print one JSON value and nothing else on standard output"),
    Flag.withDefault(false)
  )
})

/** Text for people; `width` is the terminal's, `undefined` when the output is not a terminal. */
export type Render<A> = (value: A, width: number | undefined) => string

/** Prints the result of a command. */
export const print = Effect.fnUntraced(function* <A>(value: A, render: Render<A>) {
  if (yield* Json) return yield* Console.log(JSON.stringify(value))
  const terminal = yield* Terminal.Terminal
  const columns = yield* terminal.columns
  yield* Console.log(render(value, columns > 0 ? columns : undefined))
})

/** Prints a remark on standard error; never part of the result. */
export const printNote = (text: string): Effect.Effect<void> => Console.error(text)

/** Prints errors of an invalid command line on standard error, with the command that shows its help. */
export const presenter = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Console.error(
          [
            ...event.errors.map(({ message }) => message.replace("Expected: Schema validation failed: ", "")),
            `See: npm run ${event.commandPath[0]} -- ${[...event.commandPath.slice(1), "--help"].join(" ")}`
          ].join("\n")
        )
      : CliOutput.defaultPresenter.present(event)
})
