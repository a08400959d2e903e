// A complete database as text: every row of every table.
import { Effect, type Redacted, Schema } from "effect"
import { execute } from "./TestDatabase.ts"

const TABLES = `SELECT table_name AS name FROM information_schema.tables
WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`

const tables = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ name: Schema.String })))
const texts = Schema.decodeUnknownSync(Schema.Tuple([Schema.Struct({ text: Schema.String })]))

/** The text of each table's rows, in the order of the tables' names. */
export const databaseDump = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const [found] = yield* execute(url, TABLES)
  const names = tables(found).map(({ name }) => name)
  const rows = yield* execute(
    url,
    ...names.map((name) => `SELECT coalesce(string_agg(t::text, E'\\n'), '') AS text FROM ${name} t`)
  )
  return names.map((name, nth) => {
    const [{ text }] = texts(rows[nth])
    return [name, text] as const
  })
}, Effect.orDie)
