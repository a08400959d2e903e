// The sign-ins of reviewers in PostgreSQL. Each call is one statement.
import { Effect } from "effect"
import { reviewerKey } from "#core/domain/members/Reviewer.ts"
import { Reviewers } from "#core/ports/members/Reviewers.ts"
import { overDatabase } from "../../database/Database.ts"
import { execute, first, hasRows, insertInto, select } from "../../database/Queries.ts"
import { reviewers } from "../../rows/SignInRows.ts"

export const layer = overDatabase(Reviewers, ({ read, write }) => {
  const selectFrom = (from: string) => select(read, reviewers, from)
  const add = hasRows(write, `${insertInto("reviewers")} ON CONFLICT DO NOTHING RETURNING member_id`)
  const byName = first(selectFrom(`reviewers r WHERE lower(r.name COLLATE "C") = $1 AND r.ended_at_ms IS NULL`))
  const all = selectFrom("reviewers r ORDER BY r.created_at_ms DESC, r.member_id DESC")

  return Reviewers.of({
    add: (reviewer) => add(JSON.stringify(reviewers.row(reviewer))),
    byName: (name) => byName(reviewerKey(name)),
    ofMember: first(selectFrom("reviewers r WHERE r.member_id = $1")),
    all: Effect.suspend(all),
    end: execute(write, "UPDATE reviewers SET ended_at_ms = $2 WHERE member_id = $1 AND ended_at_ms IS NULL")
  })
})
