// Records that an operator takes a backup, which holds every order and address.
import { Result } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import { audit, type Decide, Draft } from "../Draft.ts"

export const takeBackup =
  (actor: Actor): Decide<void, never> =>
  (books, context) => {
    const draft = new Draft(books, context)
    audit(draft, actor, { action: "backup.take", subject: "backup", accountId: null, details: {} })
    return Result.succeed(draft.decided(undefined))
  }
