// The tables and what they refer to, as a picture in Mermaid, made from the files of the schema and from a database's catalog.
import { Effect, type Redacted, Schema } from "effect"
import { readText, TABLE_FILES } from "#adapters/postgres/database/SchemaTexts.ts"
import { execute } from "#test/adapters/postgres/TestDatabase.ts"

/** Foreign keys, and references that a comment tells. */
const references = `
SELECT DISTINCT f.conrelid::regclass::text AS "from", f.confrelid::regclass::text AS "to", true AS enforced
FROM pg_constraint f WHERE f.contype = 'f' AND f.connamespace = 'public'::regnamespace
UNION
SELECT c.relname, substring(d.description FROM 'Refers to (\\w+)\\.'), false
FROM pg_description d JOIN pg_class c ON c.oid = d.objoid
WHERE d.classoid = 'pg_class'::regclass AND c.relkind = 'r' AND d.description LIKE '%Refers to %'
ORDER BY 1, 2`

const referencesOf = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ from: Schema.String, to: Schema.String, enforced: Schema.Boolean }))
)

const group = (file: string): string => {
  const feature = file.slice("tables/".length)
  const names = [...readText(file).script.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name)
  return `  subgraph ${feature}_ [${feature.replaceAll("_", " ")}]\n    ${names.join("; ")}\n  end`
}

/** A solid arrow is a foreign key, a dotted one is enforced by no key. */
export const tablesPicture = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const [rows] = yield* execute(url, references)
  const sources = new Map<string, Array<string>>()
  for (const { from, to, enforced } of referencesOf(rows)) {
    const end = `${enforced ? "-->" : "-.->"} ${to}`
    sources.set(end, [...(sources.get(end) ?? []), from])
  }
  const targetOf = (end: string): string => end.replace(/^\S+ /, "")
  const arrows = [...sources].sort(([one], [other]) => (targetOf(one) < targetOf(other) ? -1 : 1))
  return [
    "flowchart LR",
    ...TABLE_FILES.map(group),
    ...arrows.map(([end, from]) => `  ${from.join(" & ")} ${end}`)
  ].join("\n")
}, Effect.orDie)
