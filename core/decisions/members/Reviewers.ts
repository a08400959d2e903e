// Notes in the audit log that the sign-in of a reviewer was made or ended.
import { Result } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { Reviewer } from "#core/domain/members/Reviewer.ts"
import { audit, type Decide, Draft } from "../Draft.ts"

export const recordReviewer =
  (reviewer: Reviewer, action: "reviewer.create" | "reviewer.end", actor: Actor): Decide<void> =>
  (books, context) => {
    const { name, memberId, accountId, expiresAtMs } = reviewer
    const draft = new Draft(books, context)
    audit(draft, actor, { action, subject: memberId, accountId, details: { name, expiresAtMs } })
    return Result.succeed(draft.decided(undefined))
  }
