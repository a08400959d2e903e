// Someone who tries the service for a directory: signs in with a name and a password, to an account of the sandbox alone.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, MemberId } from "../shared/Ids.ts"

export const Reviewer = Schema.Struct({
  /** The name as it was typed; `reviewerKey` of it is unique among sign-ins that are not ended. */
  name: Schema.String,
  memberId: MemberId,
  accountId: AccountId,
  /** The hash that the port `Passwords` writes. */
  passwordHash: Schema.String,
  createdAtMs: Millis,
  expiresAtMs: Millis,
  endedAtMs: Schema.NullOr(Millis)
})
export type Reviewer = typeof Reviewer.Type

/** What spellings of one name have in common. */
export const reviewerKey = (name: string): string => name.trim().toLowerCase()

/** 3 to 40 letters, digits, dots and dashes. */
export const isReviewerName = (name: string): boolean => /^[a-z0-9][a-z0-9.-]{1,38}[a-z0-9]$/i.test(name)

export const reviewerIsLive = ({ endedAtMs, expiresAtMs }: Reviewer, nowMs: Millis): boolean =>
  endedAtMs === null && nowMs < expiresAtMs

export const MAX_REVIEW_DAYS = 366

/** The length of the password: 144 bits. */
export const PASSWORD_BYTES = 18

/** Longer ones are no password of this service. */
export const MAX_PASSWORD = 200

/** An address that no other reviewer has, and no mail reaches. */
export const reviewerEmail = (name: string, suffix: string): string =>
  `${reviewerKey(name)}.${suffix}@reviewers.invalid`
