// The sign-ins of reviewers in memory.
import { Effect } from "effect"
import { type Reviewer, reviewerKey } from "#core/domain/members/Reviewer.ts"
import { Reviewers } from "#core/ports/members/Reviewers.ts"
import { overBooks } from "../../books/OverBooks.ts"

export const layer = overBooks(Reviewers, () => {
  const kept = new Map<string, Reviewer>()
  const named = (name: string): Reviewer | undefined =>
    [...kept.values()].find((one) => one.endedAtMs === null && reviewerKey(one.name) === reviewerKey(name))

  return {
    add: (reviewer) => {
      if (named(reviewer.name) !== undefined) return false
      kept.set(reviewer.memberId, reviewer)
      return true
    },
    byName: (name) => named(name) ?? null,
    ofMember: (memberId) => kept.get(memberId) ?? null,
    all: Effect.sync(() =>
      [...kept.values()].sort((a, b) => b.createdAtMs - a.createdAtMs || (a.memberId < b.memberId ? 1 : -1))
    ),
    end: (memberId, atMs) => {
      const reviewer = kept.get(memberId)
      if (reviewer !== undefined && reviewer.endedAtMs === null) kept.set(memberId, { ...reviewer, endedAtMs: atMs })
    }
  }
})
