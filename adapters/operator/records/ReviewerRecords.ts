// Reviewers on the operator plane, without the hash of their passwords.
import { Schema } from "effect"

export const Reviewer = Schema.Struct({
  name: Schema.String,
  memberId: Schema.String,
  accountId: Schema.String,
  createdAtMs: Schema.Int,
  expiresAtMs: Schema.Int,
  endedAtMs: Schema.NullOr(Schema.Int)
})
export type Reviewer = typeof Reviewer.Type
