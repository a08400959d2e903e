// A new database has the schema of the kept one after all steps, functions and views.
import { it } from "@effect/vitest"
import { Effect, Layer, type Redacted } from "effect"
import { expect } from "vitest"
import { databaseDump } from "#test/adapters/postgres/DatabaseDump.ts"
import { storeInstance } from "#test/adapters/postgres/StoreInstances.ts"
import { freshDatabase } from "#test/adapters/postgres/TestDatabase.ts"
import { databaseOfStep048 } from "../upgrade/Step048.ts"
import { schemaOf } from "./SchemaOf.ts"

const start = (url: Redacted.Redacted) => Effect.scoped(Layer.build(storeInstance(url)))

/** What older instances call, and what makes their rows plain: a step of the next release drops it. */
const LEFT = [
  ...["changes", "accounts", "offer", "progress", "registers", "deliveries", "promos"].map(
    (name) => `function commit_${name}(jsonb)`
  ),
  ...["function commit_tallies(jsonb)", "function commit_welcome_uses(jsonb,jsonb)"],
  ...["function define_rows_of(text)", "function history_of(jsonb,text,bigint)", "function plain_digest(text)"],
  ...["function take_plain_quote()", "trigger quotes.quote_is_plain"],
  ...["path(text)", "root(text)", "uses_for(text)"].map((name) => `function welcome_${name}`),
  ...["function take_plain_link()", "trigger links.link_is_plain"]
]

/** Statements by kind and name. */
const byName = (url: Redacted.Redacted) =>
  Effect.map(schemaOf(url), (objects) =>
    Object.fromEntries(objects.map(({ kind, name, statement }) => [`${kind} ${name}`, statement]))
  )

it.live(
  "a new database equals one of step 048 with all steps, but for what older instances call: tables, keys, indexes, functions, views, triggers and comments",
  () =>
    Effect.gen(function* () {
      const [fresh, old] = [yield* freshDatabase, yield* databaseOfStep048]
      yield* Effect.all([start(fresh), start(old)])
      const { left = [], same = [] } = Object.groupBy(Object.entries(yield* byName(old)), ([name]) =>
        LEFT.includes(name) ? "left" : "same"
      )
      expect(Object.fromEntries(same)).toEqual(yield* byName(fresh))
      expect(left.map(([name]) => name).toSorted()).toEqual(LEFT.toSorted())
    })
)

it.live("the kept database has rows in every table", () =>
  Effect.gen(function* () {
    const tables = yield* databaseDump(yield* databaseOfStep048)
    expect(tables.filter(([, text]) => text === "").map(([name]) => name)).toEqual([])
  })
)
