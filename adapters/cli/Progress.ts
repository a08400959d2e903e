// Progress of a long command: one line on standard error, rewritten in place, only if that is a terminal.
import { Effect, Stdio, Stream } from "effect"

const CLEAR_LINE = "\r\u001b[K"

const write = (text: string) =>
  Effect.gen(function* () {
    const stdio = yield* Stdio.Stdio
    if (!(yield* stdio.stderrIsTerminal)) return
    // A failed write of progress must not fail the command.
    yield* Stream.run(Stream.make(text), stdio.stderr()).pipe(Effect.ignore)
  })

export const progress = (text: string) => write(`${CLEAR_LINE}${text}`)

/** Clears the line; call it before other output. */
export const endProgress = write(CLEAR_LINE)
