// Keywords of an article: in JSON a list of objects, in CSV `query:position:impressions` separated by `|`.
import { Schema, SchemaTransformation } from "effect"
import { ArticleRow } from "#adapters/operator/records/CatalogueRecords.ts"

const { keywords } = ArticleRow.fields

const number = (text: string): number => (/^\s*\d{1,10}(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN)

/** Split from the right, because a query may contain a colon. The schema refuses what is not a number. */
const fromText = (keyword: string) => {
  const [, query = keyword, position = "", impressions = ""] = /^(.*):([^:]*):([^:]*)$/.exec(keyword) ?? []
  return { query: query.trim(), position: number(position), impressions: number(impressions) }
}

const read = (cell: unknown): typeof keywords.Encoded =>
  typeof cell === "string"
    ? cell.split("|").map(fromText)
    : // Passed on unchanged: the list schema validates it and reports the path.
      (cell as typeof keywords.Encoded)

export const Keywords = Schema.Unknown.pipe(
  Schema.decodeTo(
    keywords,
    SchemaTransformation.transform<typeof keywords.Encoded, unknown>({ decode: read, encode: (list) => list })
  )
)
