// Finds what the rows of a listing refer to and the books do not have, before anything is listed.
import { HashMap, Result } from "effect"
import type { AccountId, ProjectId } from "#core/domain/shared/Ids.ts"
import { type Decide, unchanged } from "../Draft.ts"

/** Ids that a listing may refer to. */
export interface References {
  readonly siteIds: ReadonlyArray<number>
  readonly accountIds: ReadonlyArray<AccountId>
  readonly projectIds: ReadonlyArray<ProjectId>
}

/** Those that do not exist. */
export const missingOf =
  ({ siteIds, accountIds, projectIds }: References): Decide<References, never> =>
  (books) => {
    const missing = {
      siteIds: siteIds.filter((id) => !HashMap.has(books.sites, id)),
      accountIds: accountIds.filter((id) => !HashMap.has(books.accounts, id)),
      projectIds: projectIds.filter((id) => !HashMap.has(books.projects, id))
    }
    return Result.succeed(unchanged(missing))
  }
