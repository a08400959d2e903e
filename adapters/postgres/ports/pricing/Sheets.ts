// Sheets of links in PostgreSQL. Calls that change rows change their sheet's row first, so that they wait for one another; a new sheet waits for
// the account's other ones, so that they are counted.
import { Effect, Schema } from "effect"
import { SHEET_KEPT_MS } from "#core/domain/pricing/Sheet.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { Sheets } from "#core/ports/pricing/Sheets.ts"
import { overDatabase } from "../../database/Database.ts"
import { execute, first, hasRows, NOW_MS, query } from "../../database/Queries.ts"
import { sheetRows, sheets } from "../../rows/SheetRows.ts"
import { Integer } from "../../rows/Table.ts"

const statements = {
  lockAccount: "SELECT FROM accounts WHERE account_id = $1 FOR NO KEY UPDATE",
  create: `WITH kept AS (
      INSERT INTO sheets SELECT one.* FROM jsonb_populate_record(NULL::sheets, $1::jsonb) one
      WHERE (SELECT count(*) FROM sheets s WHERE s.account_id = one.account_id) < $3::integer
      ON CONFLICT (sheet_id) DO NOTHING RETURNING sheet_id
    ), written AS (
      INSERT INTO sheet_rows SELECT r.* FROM kept, jsonb_populate_recordset(NULL::sheet_rows, $2::jsonb) r
    )
    SELECT FROM kept`,
  isThere: "SELECT FROM sheets WHERE sheet_id = $1",
  byId: `SELECT ${sheets.list("s")} AS sheet, (
      SELECT coalesce(json_agg(${sheetRows.list("r")} ORDER BY r.number), '[]') FROM sheet_rows r WHERE r.sheet_id = s.sheet_id
    ) AS rows
    FROM sheets s WHERE s.sheet_id = $1`,
  ofAccount: `SELECT ${sheets.list("s")} AS sheet, c.* FROM sheets s CROSS JOIN LATERAL (
      SELECT count(*)::int AS "rowCount", (count(*) FILTER (WHERE r.item IS NULL))::int AS "faultCount",
        count(r.order_id)::int AS "boughtCount"
      FROM sheet_rows r WHERE r.sheet_id = s.sheet_id
    ) c
    WHERE s.account_id = $1 ORDER BY s.created_at_ms DESC, s.sheet_id DESC`,
  choose: `WITH changed AS (
      UPDATE sheets SET revision = revision + 1, promo_code = CASE WHEN $3::boolean THEN $4::text ELSE promo_code END
      WHERE sheet_id = $1 AND revision = $2::integer RETURNING sheet_id
    ), rows AS (
      UPDATE sheet_rows r SET chosen = r.number = ANY ($7::integer[]), chosen_at_ms = $8::bigint FROM changed
      WHERE r.sheet_id = changed.sheet_id AND r.number BETWEEN $5::integer AND $6::integer
        AND r.item IS NOT NULL AND r.order_id IS NULL
    )
    SELECT FROM changed`,
  mark: `WITH due AS (
      UPDATE sheets SET orders = $2::integer WHERE sheet_id = $1 AND orders = $2::integer - 1 RETURNING sheet_id
    )
    UPDATE sheet_rows r SET order_id = $3 FROM due
    WHERE r.sheet_id = due.sheet_id AND r.number = ANY ($4::integer[]) AND r.order_id IS NULL`,
  remove: "DELETE FROM sheets WHERE sheet_id = $1",
  prune: `DELETE FROM sheets WHERE created_at_ms <= ${NOW_MS} - ${SHEET_KEPT_MS}`
}

const Found = Schema.Struct({ sheet: sheets.schema, rows: Schema.Array(sheetRows.schema) })

const Summary = Schema.Struct({
  sheet: sheets.schema,
  rowCount: Integer,
  faultCount: Integer,
  boughtCount: Integer
})

/** A parameter of type `integer[]`. */
const integers = (numbers: ReadonlyArray<number>): string => `{${numbers.join(",")}}`

export const layer = overDatabase(Sheets, ({ read, write, transaction }) => {
  /** The count is in a statement after the lock, which sees what the one before has written. */
  const create = (accountId: AccountId, ...params: ReadonlyArray<unknown>) =>
    transaction((run) =>
      run(statements.lockAccount, [accountId]).pipe(
        Effect.andThen(run(statements.create, params)),
        Effect.map(({ length }) => length > 0)
      )
    )
  const isThere = hasRows(read, statements.isThere)
  const choose = hasRows(write, statements.choose)
  const mark = execute(write, statements.mark)

  return Sheets.of({
    create: Effect.fnUntraced(function* ({ sheet, rows }, limit) {
      const written = rows.map((row) => ({ ...sheetRows.row(row), sheet_id: sheet.sheetId }))
      const isKept = yield* create(sheet.accountId, JSON.stringify(sheets.row(sheet)), JSON.stringify(written), limit)
      return isKept || (yield* isThere(sheet.sheetId))
    }),
    byId: first(query(read, Found, statements.byId)),
    ofAccount: query(read, Summary, statements.ofAccount),
    choose: ({ sheetId, revision, rows, promoCode }) =>
      choose(
        sheetId,
        revision,
        promoCode !== undefined,
        promoCode ?? null,
        rows?.from ?? 0,
        rows?.to ?? 0,
        integers(rows?.chosen ?? []),
        rows?.atMs ?? 0
      ),
    mark: ({ sheetId, nth, orderId, rows }) => mark(sheetId, nth, orderId, integers(rows)),
    remove: execute(write, statements.remove),
    prune: Effect.suspend(execute(write, statements.prune))
  })
})
