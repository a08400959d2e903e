// Functions, views and comments: replaced in any database when their text changes, and each of them valid.
import { readdirSync } from "node:fs"
import { layer } from "@effect/vitest"
import { Context, Effect, Layer, type Redacted } from "effect"
import { expect } from "vitest"
import { readSchema, TABLE_FILES } from "#adapters/postgres/database/SchemaTexts.ts"
import { migratedDatabase } from "#test/adapters/postgres/MigratedDatabase.ts"
import { storeInstance } from "#test/adapters/postgres/StoreInstances.ts"
import { execute } from "#test/adapters/postgres/TestDatabase.ts"
import { schemaOf } from "./SchemaOf.ts"

class Address extends Context.Service<Address, Redacted.Redacted>()("backlinks/test/Address") {}

const { definitions } = readSchema()

const start = (url: Redacted.Redacted) => Effect.scoped(Layer.build(storeInstance(url)))

const run = Effect.fnUntraced(function* (...statements: ReadonlyArray<string>) {
  return yield* execute(yield* Address, ...statements)
})

/** When each definition was written last. */
const writes = Effect.map(
  run("SELECT name, xmin::text FROM schema_definitions"),
  ([rows = []]) => new Map(rows.map(({ name, xmin }) => [name, xmin]))
)

const changedSince = Effect.fnUntraced(function* (before: Effect.Success<typeof writes>) {
  const after = yield* writes
  return [...after].filter(([name, xmin]) => before.get(name) !== xmin).map(([name]) => name)
})

/** Columns that are written by their names: what the database counts, marks and drops by itself. */
const UPDATES = /\bUPDATE (?!SET)(\w+)(?: \w)? SET ([a-z]\w* =)/g

layer(Layer.effect(Address, migratedDatabase), { excludeTestServices: true })("a definition", (it) => {
  it.effect("is stored by its hash", () =>
    Effect.gen(function* () {
      const [stored] = yield* run('SELECT name, sha256 FROM schema_definitions ORDER BY name COLLATE "C"')
      const known = definitions.map(({ name, sha256 }) => ({ name, sha256 }))
      expect(stored).toEqual(known.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
    })
  )

  it.effect("stays as it is while its text is the same", () =>
    Effect.gen(function* () {
      const before = yield* writes
      yield* start(yield* Address)
      expect(yield* changedSince(before)).toEqual([])
    })
  )

  it.effect("that another version wrote is replaced, and no other is", () =>
    Effect.gen(function* () {
      const url = yield* Address
      const [schema, before] = [yield* schemaOf(url), yield* writes]
      yield* run(
        "CREATE OR REPLACE FUNCTION refuse_stale(what text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN END $$",
        "COMMENT ON TABLE quotes IS 'another'",
        "UPDATE schema_definitions SET sha256 = 'other' WHERE name IN ('functions/refuse_stale', 'comments')",
        "INSERT INTO schema_definitions VALUES ('functions/of_yesterday', 'hash')"
      )
      yield* start(url)
      expect(yield* changedSince(before)).toEqual(expect.arrayContaining(["functions/refuse_stale", "comments"]))
      expect(yield* changedSince(before)).toHaveLength(2)
      expect(yield* schemaOf(url)).toEqual(schema)
      const [commented, gone] = yield* run(
        "SELECT obj_description('quotes'::regclass) AS text",
        "SELECT FROM schema_definitions WHERE name = 'functions/of_yesterday'"
      )
      expect(commented).not.toEqual([{ text: "another" }])
      expect(gone).toEqual([])
    })
  )

  it.effect("is taken over by a database that has none, all of them", () =>
    Effect.gen(function* () {
      const url = yield* Address
      const schema = yield* schemaOf(url)
      yield* run("DROP TABLE schema_definitions", "DROP VIEW orders, promo_uses")
      yield* start(url)
      const byName = ({ name: one }: { name: string }, { name: other }: { name: string }) => (one < other ? -1 : 1)
      expect((yield* schemaOf(url)).toSorted(byName)).toEqual(schema.toSorted(byName))
    })
  )

  it.effect("updates by name only what the database counts, marks and drops itself", () =>
    Effect.sync(() => {
      const updates = definitions.flatMap(({ name, script }) =>
        [...script.matchAll(UPDATES)].map(([, table, column]) => `${name}: ${table} ${column}`)
      )
      expect(updates).toEqual([
        "functions/claim_deliveries: outbox leased_until_ms =",
        "functions/count_promo_uses: promos redeemed =",
        "functions/redefine_promos: promos redeemed =",
        "functions/write_changes: shop catalogue =",
        "functions/write_changes: shop keys =",
        "functions/write_webhooks: deliveries version ="
      ])
    })
  )

  it.effect("names only what is there", () =>
    Effect.gen(function* () {
      // At the start, bodies of functions are not checked: each may name one that follows.
      const scripts = definitions.map(
        ({ script }) => `DO $check$ BEGIN EXECUTE '${script.replaceAll("'", "''")}'; END $check$`
      )
      yield* run("BEGIN", "SET LOCAL check_function_bodies = on", ...scripts, "ROLLBACK")
    })
  )
})

layer(Layer.empty)("the files of the schema", (it) => {
  const filesIn = (folder: string) =>
    readdirSync(new URL(`../../../../adapters/postgres/schema/${folder}/`, import.meta.url))

  it.effect("are all listed", () =>
    Effect.sync(() => {
      expect(filesIn("tables").toSorted()).toEqual(
        TABLE_FILES.map((name) => `${name.slice("tables/".length)}.sql`).toSorted()
      )
      const names = ["triggers", "functions"].flatMap((folder) => filesIn(folder).map((file) => `${folder}/${file}`))
      expect(definitions.map(({ name }) => `${name}.sql`)).toEqual(expect.arrayContaining(names))
    })
  )

  it.effect("have each function once, in the file of its name", () =>
    Effect.sync(() => {
      for (const { name, script } of definitions) {
        const made = [...script.matchAll(/^CREATE OR REPLACE FUNCTION (\w+)/gm)].map(([, made]) => made)
        expect(made, name).toEqual(/^(triggers|functions)\//.test(name) ? [name.replace(/^\w+\//, "")] : [])
      }
    })
  )

  it.effect("have each comment in one line, so that it is found", () =>
    Effect.sync(() => {
      const { bookkeeping, creation } = readSchema()
      const tables = [bookkeeping, ...creation.filter(({ name }) => name.startsWith("tables/"))]
      const all = tables.flatMap(({ script }) => script.match(/COMMENT ON/g) ?? [])
      const found = definitions.find(({ name }) => name === "comments")?.script.split("\n")
      expect(found).toHaveLength(all.length)
    })
  )
})
