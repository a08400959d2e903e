// The pages of an account's activity, from four lists of which each may stop short.
import fc from "fast-check"
import { describe, expect } from "vitest"
import { mergeParts } from "#core/usecases/operations/ViewActivity.ts"
import { property } from "#test/Property.ts"

type Part = Parameters<typeof mergeParts>[0][number]

/** What a list of some of the positions answers, of which some match, and which examines no more than `examine`. */
const partOf = (
  list: ReadonlyArray<{ readonly position: string; readonly matches: boolean }>,
  { before, limit, examine }: { readonly before: string; readonly limit: number; readonly examine: number }
): Part => {
  const earlier = list.filter(({ position }) => position < before)
  const found = earlier.slice(0, examine).filter(({ matches }) => matches)
  const shown = found.slice(0, limit)
  const cut = earlier.length >= examine ? (earlier[examine - 1]?.position ?? "") : ""
  const reachedTo = found.length > limit ? (shown.at(-1)?.position ?? "") : cut
  // Only the position is looked at.
  return { entries: shown.map(({ position }) => ({ position })) as unknown as Part["entries"], reachedTo }
}

const lists = fc.array(fc.record({ nth: fc.nat(3), matches: fc.boolean() }), { maxLength: 60 })
const small = fc.integer({ min: 1, max: 12 })

describe("the pages of an account's activity", () => {
  property(
    "have every match of all lists once, newest first, wherever each list stops",
    [lists, small, small, small],
    (rows, limit, examineFirst, examineSecond) => {
      const all = rows.map((row, nth) => ({ ...row, position: String(2_000 - nth) }))
      const seen: Array<string> = []
      let before: string | null = "9999"
      for (let pages = 0; before !== null; pages++) {
        const parts = [examineFirst, examineSecond, 3, 1_000].map((examine, nth) =>
          partOf(
            all.filter((row) => row.nth === nth),
            { before: before ?? "", limit, examine }
          )
        )
        const page = mergeParts(parts, limit)
        expect(page.entries.length).toBeLessThanOrEqual(limit)
        seen.push(...page.entries.map(({ position }) => position))
        if (page.nextBefore !== null) expect(page.nextBefore < before).toBe(true)
        before = page.nextBefore
        expect(pages).toBeLessThan(100)
      }
      expect(seen).toEqual(all.flatMap(({ position, matches }) => (matches ? [position] : [])))
    }
  )
})
