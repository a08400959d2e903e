// Reviewers on the operator plane, without the hash of their passwords.
import { Schema } from "effect"
import { AccountId, MemberId } from "#core/domain/shared/Ids.ts"

export const Reviewer = Schema.Struct({
  name: Schema.String,
  memberId: MemberId,
  accountId: AccountId,
  createdAtMs: Schema.Int,
  expiresAtMs: Schema.Int,
  endedAtMs: Schema.NullOr(Schema.Int)
})
export type Reviewer = typeof Reviewer.Type
