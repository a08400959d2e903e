// `import`: sites, articles, projects, opportunities and promotion codes from files. The sites, accounts and projects that rows
// refer to must exist.
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { MAX_ROWS } from "#adapters/operator/calls/CatalogueCalls.ts"
import { type ImportKindName, importKinds } from "#adapters/operator/imports/ImportKinds.ts"
import { group } from "../CallCommand.ts"
import { CommandFailed } from "../CommandFailed.ts"
import type { FileFormat } from "../files/ReadRows.ts"
import { importFile } from "../ImportFile.ts"
import { print } from "../Output.ts"

const formatOf = (path: string, given: Option.Option<FileFormat>): Effect.Effect<FileFormat, CommandFailed> => {
  if (Option.isSome(given)) return Effect.succeed(given.value)
  const ending = /\.(csv|json)$/i.exec(path)?.[1]?.toLowerCase()
  if (ending === "csv" || ending === "json") return Effect.succeed(ending)
  return Effect.fail(
    new CommandFailed({ sentence: `Give --format csv or --format json: the name of ${path} has no such ending.` })
  )
}

/** Part of the help text. */
const DOMAINS =
  "A domain is that of one site, however it is spelled. The domain of a site that was ever ordered changes only with --change-domain."

/** Part of the help text. */
const OUTAGE = [
  `Rows are written in batches of at most ${MAX_ROWS}. If the service fails in between, the command names the lines that were`,
  "imported; importing the same file again completes the import: existing rows are replaced, and what was sold or redeemed is kept."
].join(" ")

const CHANGE_DOMAIN = Flag.Boolean("change-domain").pipe(
  Flag.withDescription(
    "Give another domain also to sites that were ordered; their links keep the one they were ordered on"
  ),
  Flag.withDefault(false)
)

const importSubcommand = (kind: ImportKindName, what: string) => {
  const { one, required, columns } = importKinds[kind]
  const optional = columns.filter((column) => !required.includes(column))
  return Command.make(
    kind,
    {
      file: Argument.Path("file", { pathType: "file" }).pipe(Argument.withDescription("A CSV file, or a JSON list")),
      format: Flag.Literals("format", ["csv", "json"]).pipe(
        Flag.withDescription("What the file is, where its name does not end in .csv or .json"),
        Flag.optional
      ),
      ...(kind === "sites" ? { changeDomain: CHANGE_DOMAIN } : {})
    },
    Effect.fnUntraced(function* ({ file, format, changeDomain = false }) {
      const imported = yield* importFile(kind, file, yield* formatOf(file, format), changeDomain)
      yield* print({ imported, kind }, () => `Imported ${counted(imported, one, kind)} from ${file}.`)
    })
  ).pipe(
    Command.withShortDescription(what),
    Command.withDescription(
      [
        `${what}. The whole file is validated first; on any error, every error is listed by line and nothing is imported.`,
        OUTAGE,
        ...(kind === "sites" ? [DOMAINS] : []),
        `Columns: ${required.join(", ")}${optional.length === 0 ? "" : `; may be left out or empty: ${optional.join(", ")}`}.`
      ].join("\n")
    )
  )
}

export const importCommand = group(
  "import",
  "Import the catalogue from CSV or JSON files; existing rows are replaced",
  [
    importSubcommand("sites", "Import sites of the network"),
    importSubcommand("articles", "Import articles that take an insertion"),
    importSubcommand("projects", "Import AI-visibility projects"),
    importSubcommand("opportunities", "Import opportunities of AI-visibility projects"),
    importSubcommand("promos", "Import promotion codes")
  ]
)
