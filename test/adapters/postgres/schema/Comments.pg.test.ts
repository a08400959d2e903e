// Every table and view has a comment, and every column whose name does not say what it holds.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { migratedDatabase } from "#test/adapters/postgres/MigratedDatabase.ts"
import { execute } from "#test/adapters/postgres/TestDatabase.ts"

/** Names that mean the same everywhere. `schema/foundation.sql` explains the versions. */
const PLAIN = [
  ...["version", "previous", "name", "email", "url", "domain", "language", "title", "kind", "mode"],
  ...["target_url", "anchor_text", "user_agent", "once_per_account", "sha256", "rows", "only_row"]
]

/**
 * A column that is always there says what it holds if its name ends with a unit, if its table's keys or foreign keys contain it, or if a
 * check lists its values. Every column that may be null says what null means.
 */
const silent = `
SELECT c.relname || '.' || a.attname AS "column" FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  AND col_description(c.oid, a.attnum) IS NULL AND a.attname <> ALL ($names)
  AND NOT (a.attnotnull AND (
    a.attname ~ '(_at|_ms|_cents|^cents)$' OR EXISTS (
      SELECT FROM pg_constraint f WHERE f.conrelid = c.oid AND a.attnum = ANY (f.conkey)
        AND (f.contype IN ('p', 'f') OR (f.contype = 'c' AND pg_get_constraintdef(f.oid) LIKE '%= ANY (ARRAY[%'))
    )
  ))
ORDER BY 1`

/** What comments refer to, and no column is. */
const wrong = `
SELECT DISTINCT target FROM (
  SELECT substring(description FROM 'Refers to (\\w+\\.\\w+)') FROM pg_description WHERE classoid = 'pg_class'::regclass
) named (target)
WHERE target IS NOT NULL AND NOT EXISTS (
  SELECT FROM pg_attribute a
  WHERE a.attrelid = to_regclass(split_part(target, '.', 1)) AND a.attname = split_part(target, '.', 2)
)`

it.live("every table and view, and every column whose name does not say it", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const names = `ARRAY['${PLAIN.join("', '")}']`
    const [relations, columns, targets] = yield* execute(
      url,
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v')
       AND obj_description(oid, 'pg_class') IS NULL`,
      silent.replace("$names", names),
      wrong
    )
    expect(relations).toEqual([])
    expect(columns).toEqual([])
    expect(targets).toEqual([])
  })
)
