// Every page of the route list has an example, which is answered as it says, in people's words: so that a browser is not needed to see that
// one is missing.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { oldWordsIn } from "#test/architecture/WordRule.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { LEGAL } from "./FrontExamples.ts"
import { pageExamples } from "./PageExamples.ts"
import { visit } from "./Visitors.ts"

/** What people see: no markup, and neither code nor addresses. */
const seen = (page: string): string =>
  page
    .replaceAll(/<(pre|code|script|style|textarea)\b.*?<\/\1>/gs, " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/https?:\S+/g, " ")

/** Words of programs. */
const FOREIGN = /.{0,30}(?:GET \/|POST \/|Idempotency|Retry-After|_url|_id).{0,30}/g

layer(RunningService.layer(LEGAL))("the examples of pages", (it) => {
  it.effect("cover every route, and are answered as they say", () =>
    Effect.gen(function* () {
      const { visited } = yield* pageExamples
      const asked = new Set<string>()
      for (const { token, pages } of visited)
        for (const { path, form, cookie, status = 200 } of pages) {
          const cookies = [
            ...(token === null ? [] : [["session", token]]),
            ...(cookie ? [[cookie.name, cookie.value]] : [])
          ]
          const headers = { cookie: cookies.map((pair) => pair.join("=")).join("; ") }
          const answer = yield* visit({ path, headers, ...(form === undefined ? {} : { method: "POST", form }) })
          assert.deepStrictEqual([path, answer.status], [path, status])
          assert.deepStrictEqual([path, seen(answer.text).match(FOREIGN)], [path, null])
          assert.deepStrictEqual([path, oldWordsIn(seen(answer.text))], [path, []])
          for (const [, topic = ""] of answer.text.matchAll(/href="\/help#([^"]*)"/g)) asked.add(topic)
        }
      // Each link into the help has its answer.
      const help = (yield* visit({ path: "/help" })).text
      assert.isAbove(asked.size, 8)
      for (const topic of asked) assert.include(help, ` id="${topic}"`)
    })
  )
})
