// What a page says of a failure: in people's words, whatever the failure.
import { describe, expect, it } from "vitest"
import { RateLimited } from "#adapters/contract/errors/AdapterFailure.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { memberRefusals } from "#adapters/contract/errors/MemberErrors.ts"
import { failurePage } from "#adapters/web/ErrorPages.ts"
import { waitText, wordsOf } from "#adapters/web/ErrorWords.ts"
import { cartProblem } from "#adapters/web/shop/CartProblem.ts"
import { samples } from "#test/adapters/contract/errors/FailureSamples.ts"
import { oldWordsIn } from "#test/architecture/WordRule.ts"

const all: ReadonlyArray<readonly [string, ReadonlyArray<Failure>]> = Object.entries(samples)

/** Words of programs. */
const FOREIGN = /GET \/|POST \/|DELETE \/|Idempotency|Retry-After|Authorization|_url|_id|`|--\w/

const visible = (markup: string): string => markup.replaceAll(/<[^>]+>/g, " ")

describe("a page on a failure", () => {
  it("says when to try again as a time that a person can use", () => {
    expect([0.2, 40, 120, 121, 7_200, 7_201].map(waitText)).toEqual([
      ...["in 1 second", "in 40 seconds", "in 120 seconds", "in 3 minutes", "in 120 minutes", "in 3 hours"]
    ])
    const limited = failurePage(new RateLimited({ kind: "read", limit: 1, retryAfterSeconds: 40, resetsAtMs: 0 }))
    expect(limited._tag === "Page" ? limited.body.text : "").toContain("Try again in 40 seconds.")
  })

  it.each(all)("says %s in people's words", (_tag, failures) => {
    for (const failure of failures) {
      const page = failurePage(failure)
      const shown = visible(page._tag === "Page" ? page.body.text : "")
      expect(shown).not.toMatch(FOREIGN)
      expect(oldWordsIn(shown)).toEqual([])
      const { says, next } = wordsOf(failure)
      expect(says).toMatch(/[.…]$/)
      expect(next ?? ".").toMatch(/\.$/)
      expect(`${says} ${next ?? ""}`.match(/[.…](?=\s|$)/g)?.length).toBeLessThanOrEqual(_tag in memberRefusals ? 3 : 2)
      expect(cartProblem(failure)?.ofCart ?? "").not.toMatch(FOREIGN)
    }
  })
})
