// The texts of `schema/`: what makes a new database, and what is replaced in any database when its text changes.
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"

const FOLDER = new URL("../schema/", import.meta.url)

export interface SchemaText {
  /** The file in `schema/` without its extension, or `comments`. */
  readonly name: string
  readonly script: string
  readonly sha256: string
}

const textOf = (name: string, script: string): SchemaText => ({
  name,
  script,
  sha256: createHash("sha256").update(script).digest("hex")
})

export const readText = (name: string): SchemaText => textOf(name, readFileSync(new URL(`${name}.sql`, FOLDER), "utf8"))

/** The names of a folder's texts, in order. */
export const namesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(new URL(`${folder}/`, FOLDER))
    .flatMap((file) => /^(\w+)\.sql$/.exec(file)?.[1] ?? [])
    .sort()
    .map((name) => `${folder}/${name}`)

/** Files of tables, each after those that its foreign keys refer to. */
export const TABLE_FILES = [
  ...["members", "members_sign_in", "access", "catalogue", "pricing", "ordering", "ordering_payments", "wallet"],
  ...["webhooks", "invoicing", "operations"]
].map((name) => `tables/${name}`)

/** A comment is one line. */
const COMMENT = /^COMMENT ON .*;$/gm

/** The comments of tables are replaced as functions are, so that each database has those of its version. */
const comments = (files: ReadonlyArray<SchemaText>): SchemaText =>
  textOf("comments", files.flatMap(({ script }) => script.match(COMMENT) ?? []).join("\n"))

/** Read at every start. */
export const readSchema = () => {
  const bookkeeping = readText("bookkeeping")
  const tables = TABLE_FILES.map(readText)
  const triggers = namesIn("triggers").map(readText)
  const functions = namesIn("functions").map(readText)
  const views = readText("views")
  return {
    bookkeeping,
    /** What makes the tables of a new database and all that stands on them, in order. */
    creation: [readText("foundation"), ...triggers, ...tables, ...functions, views],
    /** What is replaced when its text changes, in order. */
    definitions: [...triggers, ...functions, views, comments([bookkeeping, ...tables])]
  }
}
