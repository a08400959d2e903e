// The sign-ins of reviewers in memory. Each call is one synchronous step, which no other fiber can interleave.
import { Effect, Layer } from "effect"
import { type Reviewer, reviewerKey } from "#core/domain/members/Reviewer.ts"
import { Reviewers } from "#core/ports/members/Reviewers.ts"

export const layer: Layer.Layer<Reviewers> = Layer.sync(Reviewers, () => {
  const kept = new Map<string, Reviewer>()
  const named = (name: string): Reviewer | undefined =>
    [...kept.values()].find((one) => one.endedAtMs === null && reviewerKey(one.name) === reviewerKey(name))

  return Reviewers.of({
    add: (reviewer) =>
      Effect.sync(() => {
        if (named(reviewer.name) !== undefined) return false
        kept.set(reviewer.memberId, reviewer)
        return true
      }),
    byName: (name) => Effect.sync(() => named(name) ?? null),
    ofMember: (memberId) => Effect.sync(() => kept.get(memberId) ?? null),
    all: Effect.sync(() =>
      [...kept.values()].sort((a, b) => b.createdAtMs - a.createdAtMs || (a.memberId < b.memberId ? 1 : -1))
    ),
    end: (memberId, atMs) =>
      Effect.sync(() => {
        const reviewer = kept.get(memberId)
        if (reviewer !== undefined && reviewer.endedAtMs === null) kept.set(memberId, { ...reviewer, endedAtMs: atMs })
      })
  })
})
