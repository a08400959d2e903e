// The operator token of a deployment, from a file or from the environment. It is never a flag, which other users of the machine
// could read.
import { readFile } from "node:fs/promises"
import { Data, Effect, Redacted } from "effect"

const VARIABLE = "OPERATOR_TOKEN"

export class NoToken extends Data.TaggedError("NoToken")<{ readonly message: string }> {}

/** Only text that a header can carry: a token with a line break in it was pasted wrong. */
const parse = (text: string, source: string): Effect.Effect<Redacted.Redacted<string>, NoToken> =>
  /^[\x21-\x7e]+$/.test(text)
    ? Effect.succeed(Redacted.make(text, { label: "operator token" }))
    : Effect.fail(new NoToken({ message: `${source} must hold a token of visible ASCII characters without spaces.` }))

const fromFile = (path: string) =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: () => new NoToken({ message: `The token file ${path} cannot be read.` })
  }).pipe(Effect.flatMap((text) => parse(text.trim(), `The token file ${path}`)))

const fromEnvironment = Effect.suspend(() => {
  const text = process.env[VARIABLE] ?? ""
  const missing = `--attach requires the service's operator token: set ${VARIABLE}, or name a file with --token-file.`
  return text === "" ? Effect.fail(new NoToken({ message: missing })) : parse(text, VARIABLE)
})

/** A `tokenFile` goes before the environment. */
export const readToken = (tokenFile: string | null): Effect.Effect<Redacted.Redacted<string>, NoToken> =>
  tokenFile === null ? fromEnvironment : fromFile(tokenFile)
