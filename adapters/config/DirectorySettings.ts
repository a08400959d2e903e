// Settings for directories that list this service: the operator's privacy and terms, and texts that verify its domain.
import { readFileSync } from "node:fs"
import { Config, type Option, Result } from "effect"
import { parsed } from "./ConfigSchemas.ts"

/** A text served at `/.well-known/<name>`. */
export interface DirectoryChallenge {
  readonly name: string
  readonly text: string
}

export interface DirectorySettings {
  /** The text of the file, in plain words or simple Markdown. */
  readonly privacy: Option.Option<string>
  readonly terms: Option.Option<string>
  readonly challenges: ReadonlyArray<DirectoryChallenge>
}

const MAX_FILE_BYTES = 262_144

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Read at the start: an edit counts from the next one. */
const textFile = (name: string) =>
  Config.option(
    parsed(name, (path) =>
      Result.try({
        try: () => readFileSync(path),
        catch: () => "names a file that cannot be read"
      }).pipe(
        Result.filterOrFail(
          ({ byteLength }) => byteLength <= MAX_FILE_BYTES,
          () => "names a file of more than 256 KiB"
        ),
        Result.flatMap((bytes) =>
          Result.try({ try: () => utf8.decode(bytes), catch: () => "names a file that is not text in UTF-8" })
        ),
        Result.filterOrFail(
          (text) => text.trim() !== "",
          () => "names an empty file"
        )
      )
    )
  )

/** Names that clients look for to learn about authorization and MCP; the service answers those itself. */
const OWN_NAME = /^(oauth|openid|mcp)/

const CHALLENGE = /^([a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?)=([\x21-\x2b\x2d-\x7e]{1,512})$/

const challenges = parsed("DIRECTORY_CHALLENGES", (text) => {
  const entries = text.split(",").map((entry) => {
    const [, name, value] = CHALLENGE.exec(entry.trim()) ?? []
    return name === undefined || value === undefined || OWN_NAME.test(name) ? [] : [{ name, text: value }]
  })
  const known = entries.flat()
  const names = new Set(known.map(({ name }) => name))
  return known.length === entries.length && names.size === known.length
    ? Result.succeed<ReadonlyArray<DirectoryChallenge>>(known)
    : Result.fail(
        "must be texts by the names that directories ask for below /.well-known, separated by commas, such as openai-apps-challenge=TEXT: names of small letters, digits, dots and dashes, each once and none of OAuth or MCP, texts of visible ASCII characters"
      )
})

export const directorySettings: Config.Config<DirectorySettings> = Config.all({
  privacy: textFile("PRIVACY_FILE"),
  terms: textFile("TERMS_FILE"),
  challenges: challenges.pipe(Config.withDefault([]))
})
