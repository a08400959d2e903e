// What a page says of a failure: in people's words, whatever the failure.
import { describe, expect, it } from "vitest"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { failurePage } from "#adapters/web/ErrorPages.ts"
import { wordsOf } from "#adapters/web/ErrorWords.ts"
import { cartProblem } from "#adapters/web/shop/CartProblem.ts"
import { samples } from "#test/adapters/contract/errors/FailureSamples.ts"
import { oldWordsIn } from "#test/architecture/WordRule.ts"

const all: ReadonlyArray<readonly [string, ReadonlyArray<Failure>]> = Object.entries(samples)

/** Words of programs. */
const FOREIGN = /GET \/|POST \/|DELETE \/|Idempotency|Retry-After|Authorization|_url|_id|`|--\w/

const visible = (markup: string): string => markup.replaceAll(/<[^>]+>/g, " ")

describe("a page on a failure", () => {
  it.each(all)("says %s in people's words", (_tag, failures) => {
    for (const failure of failures) {
      const page = failurePage(failure)
      const shown = visible(page._tag === "Page" ? page.body.text : "")
      expect(shown).not.toMatch(FOREIGN)
      expect(oldWordsIn(shown)).toEqual([])
      const { says, next } = wordsOf(failure)
      expect(says).toMatch(/[.…]$/)
      expect(next ?? ".").toMatch(/\.$/)
      expect(cartProblem(failure)?.ofCart ?? "").not.toMatch(FOREIGN)
    }
  })
})
