// The right to operate a deployment: from a file or from the environment, never from the command line, where others could read it.
import { readFile } from "node:fs/promises"
import { Effect, Redacted, Result } from "effect"

const VARIABLE = "OPERATOR_TOKEN"

/** Text that a header can carry: a token with a line break in it was pasted wrong. */
const checked = (text: string, source: string): Result.Result<Redacted.Redacted<string>, string> =>
  /^[\x21-\x7e]+$/.test(text)
    ? Result.succeed(Redacted.make(text, { label: "operator token" }))
    : Result.fail(`${source} must hold a token of visible ASCII characters without spaces.`)

const fromFile = (path: string) =>
  Effect.tryPromise({ try: () => readFile(path, "utf8"), catch: () => `The token file ${path} cannot be read.` }).pipe(
    Effect.flatMap((text) => Effect.fromResult(checked(text.trim(), `The token file ${path}`)))
  )

const fromEnvironment = Effect.suspend(() => {
  const text = process.env[VARIABLE] ?? ""
  return text === ""
    ? Effect.fail(`--attach wants the service's operator token: set ${VARIABLE}, or name a file with --token-file.`)
    : Effect.fromResult(checked(text, VARIABLE))
})

/** Fails with a sentence. `tokenFile` goes before the environment. */
export const readToken = (tokenFile: string | null): Effect.Effect<Redacted.Redacted<string>, string> =>
  tokenFile === null ? fromEnvironment : fromFile(tokenFile)
