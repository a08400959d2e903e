// The five kinds of import files, derived from the rows of a catalogue update: columns have the names of the public API.
import { Effect, Result, Schema, SchemaAST, type SchemaIssue } from "effect"
import { faultsOf, fieldErrors } from "#adapters/contract/decoding/SchemaIssues.ts"
import * as Rows from "../records/CatalogueRecords.ts"
import { Euros } from "../records/Euros.ts"
import { PositiveCents } from "../records/Fields.ts"
import { withoutNull } from "../records/SchemaShape.ts"
import { cellOf, endDateOrTime, keywords, percent } from "./Cells.ts"

/** The cells of a row by their columns: text, from JSON also lists. Empty cells are left out. */
export type Cells = Readonly<Record<string, unknown>>

export interface ImportKind<Row> {
  /** Singular of the kind. */
  readonly one: string
  /** In display order. */
  readonly columns: ReadonlyArray<string>
  readonly required: ReadonlyArray<string>
  /** The column that identifies a row; unique within a file. */
  readonly key: string
  readonly columnOf: (member: string) => string
  readonly decode: (cells: Cells) => Result.Result<Row, SchemaIssue.Issue>
}

/** Where a column is not what its member says. */
interface Spelling {
  readonly column?: string
  readonly cell?: Schema.Codec<unknown, unknown>
  /** The text of an empty cell; without it, the cell is required, unless the member may be null. */
  readonly otherwise?: unknown
}

/** `publishedAtMs` is in column `published_at`, `priceCents` in `price_eur`. */
const columnOf = (member: string): string =>
  member
    .replace(/AtMs$/, "At")
    .replace(/Cents$/, "Eur")
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const isNullable = ({ ast }: Schema.Constraint): boolean => withoutNull(ast) !== ast

const cellIn = (member: string, schema: Schema.Constraint, { cell = cellOf(member, schema), otherwise }: Spelling) => {
  if (otherwise !== undefined) return Schema.withDecodingDefaultKey<typeof cell>(Effect.succeed(otherwise))(cell)
  return isNullable(schema) || SchemaAST.isOptional(schema.ast) ? Schema.optionalKey(cell) : cell
}

const importKind = <Fields extends Schema.Struct.Fields>(
  one: string,
  key: keyof Fields & string,
  fields: Fields,
  spellings: { readonly [Member in keyof Fields]?: Spelling } = {},
  ...checks: ReadonlyArray<SchemaAST.Check<Cells>>
): ImportKind<Schema.Struct<Fields>["Type"]> => {
  const named = (member: string): string => spellings[member]?.column ?? columnOf(member)
  const members = Object.entries(fields)
  const columns = members.map(([member]) => named(member))
  const cells = Schema.Struct(
    Object.fromEntries(
      members.map(([member, schema]) => [named(member), cellIn(member, schema, spellings[member] ?? {})])
    )
  )
  const [first, ...others] = checks
  const decodeCells = Schema.decodeUnknownResult(first === undefined ? cells : cells.check(first, ...others), {
    errors: "all",
    onExcessProperty: "error"
  })
  const decode = (row: Cells) =>
    decodeCells(row).pipe(
      Result.mapError(({ issue }) => issue),
      Result.map((values: Cells) => {
        const given = members.flatMap(([member, schema]) => {
          const value = values[named(member)] ?? (isNullable(schema) ? null : undefined)
          return value === undefined ? [] : [[member, value] as const]
        })
        // Each cell is decoded to the member of its column, and those that are left out may be.
        return Object.fromEntries(given) as Schema.Struct<Fields>["Type"]
      })
    )
  // The errors of an empty row name the required columns.
  const required = Result.match(decode({}), {
    onSuccess: () => [],
    onFailure: (issue) => fieldErrors(faultsOf(issue), "body").map(({ path }) => path)
  })
  return { one, columns, required, key: named(key), columnOf: named, decode }
}

/** A lower price is taken for a typing error. */
const MIN_PRICE_CENTS = 50

/** A reduction is in one of two columns. */
const { reduction: _, code, ...terms } = Rows.PromoRow.fields
const promoFields = {
  code,
  percent: Schema.NullOr(Schema.Int),
  fixedCents: Schema.NullOr(PositiveCents),
  ...terms
}

const promoOf = ({ percent, fixedCents, ...promo }: Schema.Struct<typeof promoFields>["Type"]): Rows.PromoRow => ({
  ...promo,
  code: promo.code.toUpperCase(),
  // One of the two is there: the row was checked for it.
  reduction: percent === null ? { kind: "fixed", cents: fixedCents ?? 0 } : { kind: "percent", basisPoints: percent }
})

const promos = importKind(
  "promo",
  "code",
  promoFields,
  { percent: { cell: percent }, endsAtMs: { cell: endDateOrTime }, oncePerAccount: { otherwise: "no" } },
  Schema.makeFilter((row) =>
    (row["percent"] === undefined) === (row["fixed_eur"] === undefined)
      ? { path: ["percent"], issue: "Give either percent or fixed_eur, and not both." }
      : undefined
  ),
  Schema.makeFilter(({ starts_at, ends_at }) =>
    Number(ends_at) <= Number(starts_at) ? { path: ["ends_at"], issue: "Must be later than starts_at." } : undefined
  )
)

export const importKinds = {
  sites: importKind("site", "siteId", Rows.SiteRow.fields, {
    siteId: { column: "id" },
    linkRel: { otherwise: "dofollow" },
    open: { otherwise: "yes" }
  }),
  articles: importKind("article", "articleId", Rows.ArticleRow.fields, {
    priceCents: { cell: Euros(MIN_PRICE_CENTS) },
    keywords: { cell: keywords, otherwise: [] }
  }),
  projects: importKind("project", "projectId", Rows.ProjectRow.fields),
  opportunities: importKind("opportunity", "opportunityId", Rows.OpportunityRow.fields),
  promos: { ...promos, decode: (cells: Cells) => Result.map(promos.decode(cells), promoOf) }
}

export type ImportKindName = keyof typeof importKinds
