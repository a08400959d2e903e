// `import`: sites, articles, projects, opportunities and promotion codes from files. The sites, accounts and projects that rows
// refer to must exist.
import { Array, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { MAX_ROWS } from "#adapters/operator/calls/CatalogueCalls.ts"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { ArticleRow, OpportunityRow, ProjectRow } from "#adapters/operator/records/CatalogueRecords.ts"
import { CommandFailed } from "../CommandFailed.ts"
import * as FileKinds from "../files/FileKinds.ts"
import type { FileFormat } from "../files/ReadRows.ts"
import { type ImportKind, importFile } from "../ImportFile.ts"
import { print } from "../Output.ts"

const nothingMissing = () => Effect.succeed(() => undefined)

type Lists = Effect.Success<ReturnType<OperatorClient["findMissing"]>>

/** The ids that do not exist; each is looked up once. */
const missingAmong = Effect.fnUntraced(function* <Name extends keyof Lists>(
  client: OperatorClient,
  name: Name,
  ids: ReadonlyArray<Lists[Name][number]>
) {
  const missing = new Set<Lists[Name][number]>()
  for (const some of Array.chunksOf([...new Set(ids)], MAX_ROWS)) {
    const found = yield* client.findMissing({ [name]: some })
    for (const id of found[name]) missing.add(id)
  }
  return missing
})

const missingSites = Effect.fnUntraced(function* (client: OperatorClient, articles: ReadonlyArray<ArticleRow>) {
  const missing = yield* missingAmong(
    client,
    "siteIds",
    articles.map(({ siteId }) => siteId)
  )
  return ({ siteId }: ArticleRow) =>
    missing.has(siteId)
      ? { column: "site_id", found: String(siteId), message: "There is no such site; import sites first." }
      : undefined
})

const missingAccounts = Effect.fnUntraced(function* (client: OperatorClient, projects: ReadonlyArray<ProjectRow>) {
  const missing = yield* missingAmong(
    client,
    "accountIds",
    projects.map(({ accountId }) => accountId)
  )
  return ({ accountId }: ProjectRow) =>
    missing.has(accountId)
      ? { column: "account_id", found: accountId, message: "There is no such account." }
      : undefined
})

const missingProjects = Effect.fnUntraced(function* (
  client: OperatorClient,
  opportunities: ReadonlyArray<OpportunityRow>
) {
  const missing = yield* missingAmong(
    client,
    "projectIds",
    opportunities.map(({ projectId }) => projectId)
  )
  return ({ projectId }: OpportunityRow) =>
    missing.has(projectId)
      ? { column: "project_id", found: projectId, message: "There is no such project; import projects first." }
      : undefined
})

const formatOf = (path: string, given: Option.Option<FileFormat>): Effect.Effect<FileFormat, CommandFailed> => {
  if (Option.isSome(given)) return Effect.succeed(given.value)
  const ending = /\.(csv|json)$/i.exec(path)?.[1]?.toLowerCase()
  if (ending === "csv" || ending === "json") return Effect.succeed(ending)
  return Effect.fail(
    new CommandFailed({ sentence: `Give --format csv or --format json: the name of ${path} has no such ending.` })
  )
}

/** Part of the help text. */
const OUTAGE = [
  `Rows are written in batches of at most ${MAX_ROWS}. If the service fails in between, the command names the lines that were`,
  "imported; importing the same file again completes the import: existing rows are replaced, and what was sold or redeemed is kept."
].join(" ")

const importSubcommand = <Row>(importKind: ImportKind<Row>, what: string) => {
  const { one, noun, kind } = importKind
  const optional = kind.columns.filter((column) => !kind.required.includes(column))
  return Command.make(
    noun,
    {
      file: Argument.Path("file", { pathType: "file" }).pipe(Argument.withDescription("A CSV file, or a JSON list")),
      format: Flag.Literals("format", ["csv", "json"]).pipe(
        Flag.withDescription("What the file is, where its name does not end in .csv or .json"),
        Flag.optional
      )
    },
    Effect.fnUntraced(function* ({ file, format }) {
      const imported = yield* importFile(importKind, file, yield* formatOf(file, format))
      yield* print({ imported, kind: noun }, () => `Imported ${counted(imported, one, noun)} from ${file}.`)
    })
  ).pipe(
    Command.withShortDescription(what),
    Command.withDescription(
      [
        `${what}. The whole file is validated first; on any error, every error is listed by line and nothing is imported.`,
        OUTAGE,
        `Columns: ${kind.required.join(", ")}${optional.length === 0 ? "" : `; may be left out or empty: ${optional.join(", ")}`}.`
      ].join("\n")
    )
  )
}

export const importCommand = Command.make("import").pipe(
  Command.withDescription("Import the catalogue from CSV or JSON files; existing rows are replaced"),
  Command.withSubcommands([
    importSubcommand(
      { noun: "sites", one: "site", kind: FileKinds.sites, payload: (sites) => ({ sites }), missing: nothingMissing },
      "Import sites of the network"
    ),
    importSubcommand(
      {
        noun: "articles",
        one: "article",
        kind: FileKinds.articles,
        payload: (articles) => ({ articles }),
        missing: missingSites
      },
      "Import articles that take an insertion"
    ),
    importSubcommand(
      {
        noun: "projects",
        one: "project",
        kind: FileKinds.projects,
        payload: (projects) => ({ projects }),
        missing: missingAccounts
      },
      "Import AI-visibility projects"
    ),
    importSubcommand(
      {
        noun: "opportunities",
        one: "opportunity",
        kind: FileKinds.opportunities,
        payload: (opportunities) => ({ opportunities }),
        missing: missingProjects
      },
      "Import opportunities of AI-visibility projects"
    ),
    importSubcommand(
      {
        noun: "promos",
        one: "promo",
        kind: FileKinds.promos,
        payload: (promos) => ({ promos }),
        missing: nothingMissing
      },
      "Import promotion codes"
    )
  ])
)
