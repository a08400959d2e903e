// How far a long piece of work is, on one line of a terminal's standard error that is written over; nowhere else.
import { Effect, Stdio, Stream } from "effect"

const BACK_AND_WIPE = "\r\u001b[K"

const write = (text: string) =>
  Effect.gen(function* () {
    const stdio = yield* Stdio.Stdio
    if (!(yield* stdio.stderrIsTerminal)) return
    // Who cannot be shown progress goes without it.
    yield* Stream.run(Stream.make(text), stdio.stderr()).pipe(Effect.ignore)
  })

export const progress = (text: string) => write(`${BACK_AND_WIPE}${text}`)

/** Before anything else is written. */
export const endProgress = write(BACK_AND_WIPE)
