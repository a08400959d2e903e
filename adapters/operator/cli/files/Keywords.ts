// The keywords of an article: in JSON a list of objects, in CSV `query:position:impressions` with `|` between them.
import { Schema, SchemaTransformation } from "effect"
import { ArticleRow } from "../../records/CatalogueRecords.ts"

const { keywords } = ArticleRow.fields

const number = (text: string): number => (/^\s*\d{1,10}(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN)

/** From the right, because what people search for may hold a colon. What is no number is left for the schema to refuse. */
const fromText = (keyword: string) => {
  const [, query = keyword, position = "", impressions = ""] = /^(.*):([^:]*):([^:]*)$/.exec(keyword) ?? []
  return { query: query.trim(), position: number(position), impressions: number(impressions) }
}

const read = (cell: unknown): typeof keywords.Encoded =>
  typeof cell === "string"
    ? cell.split("|").map(fromText)
    : // A list of anything is passed on as it is: refusing it, with a place, is the list schema's business.
      (cell as typeof keywords.Encoded)

export const Keywords = Schema.Unknown.pipe(
  Schema.decodeTo(
    keywords,
    SchemaTransformation.transform<typeof keywords.Encoded, unknown>({ decode: read, encode: (list) => list })
  )
)
