// The sign-ins of reviewers in PostgreSQL. Each call is one statement.
import { Effect, Layer } from "effect"
import { reviewerKey } from "#core/domain/Reviewer.ts"
import { Reviewers } from "#core/ports/Reviewers.ts"
import { Database } from "./database/Database.ts"
import { queryRows } from "./database/Queries.ts"
import { conflictAsUnavailable } from "./database/SqlErrors.ts"
import { reviewers } from "./rows/SignInRows.ts"

const row = reviewers.list("r")

const statements = {
  add: `INSERT INTO reviewers SELECT * FROM jsonb_populate_record(NULL::reviewers, $1::jsonb)
    ON CONFLICT DO NOTHING RETURNING member_id`,
  byName: `SELECT ${row} AS row FROM reviewers r WHERE lower(r.name COLLATE "C") = $1 AND r.ended_at_ms IS NULL`,
  ofMember: `SELECT ${row} AS row FROM reviewers r WHERE r.member_id = $1`,
  all: `SELECT ${row} AS row FROM reviewers r ORDER BY r.created_at_ms DESC, r.member_id DESC`,
  end: "UPDATE reviewers SET ended_at_ms = $2 WHERE member_id = $1 AND ended_at_ms IS NULL"
}

export const layer: Layer.Layer<Reviewers, never, Database> = Layer.effect(
  Reviewers,
  Effect.map(Database, (database) => {
    const write = (sql: string, params: ReadonlyArray<unknown>) => conflictAsUnavailable(database.write(sql, params))
    const byName = queryRows(database.read, reviewers, statements.byName)
    const ofMember = queryRows(database.read, reviewers, statements.ofMember)
    const all = queryRows(database.read, reviewers, statements.all)

    return Reviewers.of({
      add: (reviewer) =>
        Effect.map(write(statements.add, [JSON.stringify(reviewers.row(reviewer))]), (rows) => rows.length > 0),
      byName: (name) => Effect.map(byName(reviewerKey(name)), ([found]) => found ?? null),
      ofMember: (memberId) => Effect.map(ofMember(memberId), ([found]) => found ?? null),
      all: Effect.suspend(() => all()),
      end: (memberId, atMs) => Effect.asVoid(write(statements.end, [memberId, atMs]))
    })
  })
)
