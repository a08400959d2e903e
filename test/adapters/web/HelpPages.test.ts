// Help for people: each question has an answer with an address, and its figures are those of the settings and the rules.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { spanText } from "#adapters/contract/shared/Counted.ts"
import { HELP_TOPICS } from "#adapters/web/help/HelpTopics.ts"
import { MAX_MEMBERS } from "#core/domain/members/Member.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { SHELVES } from "#core/domain/pricing/Shelf.ts"
import { MAX_TOP_UP_CENTS } from "#core/domain/wallet/TopUp.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"

const OWN = {
  QUOTE_TTL: "36 hours",
  TURNAROUND_DAYS: "0,5,21",
  DAILY_ORDER_CAP: "9",
  SUPPORT_CONTACT: "hello@shop.example",
  SIGNUP: "closed"
}

/** The text of one answer. */
const answerIn = (text: string, topic: string): string => {
  const [, answer = ""] = new RegExp(` id="${topic}">(.*?)</details>`, "s").exec(text) ?? []
  return answer
}

layer(RunningService.layer(OWN))("help", (it) => {
  it.effect("tells the figures of this service", () =>
    Effect.gen(function* () {
      const { status, text } = yield* visit({ path: "/help" })
      assert.strictEqual(status, 200)
      for (const topic of ["approval", "credit"]) assert.include(answerIn(text, topic), "36 hours")
      for (const days of ["on the same day", "within 5 days", "within 21 days"])
        assert.include(answerIn(text, "due-dates"), days)
      assert.include(answerIn(text, "limits"), "9 orders a day")
      assert.include(answerIn(text, "members"), `up to ${MAX_MEMBERS}`)
      assert.include(answerIn(text, "top-ups"), formatEur(MAX_TOP_UP_CENTS))
      for (const { priceCents } of SHELVES) assert.include(answerIn(text, "prices"), formatEur(priceCents))
      assert.include(answerIn(text, "refunds"), "mailto:hello@shop.example")
      assert.include(answerIn(text, "signing-in"), "For an account, write to")
    })
  )

  it.effect("answers each topic once, below its question, and leads to pages that are there", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const { text } = yield* visit({ path: "/help", token: owner })
      const answers = [
        ...text.matchAll(/<details class="answer"><summary><h3>[^<]+\?<\/h3><\/summary>\n<div id="([^"]+)">/g)
      ]
      assert.strictEqual(answers.length, text.split('class="answer"').length - 1)
      assert.sameMembers(
        answers.map(([, topic = ""]) => topic),
        HELP_TOPICS
      )
      for (const [, path = ""] of text.matchAll(/href="(\/account[^"]*)"/g))
        assert.strictEqual((yield* visit({ path, token: owner })).status, 200, path)
    })
  )
})

layer(RunningService.layer({ MEMBERS: "off" }))("help where no one signs in", (it) => {
  it.effect("is not there, and nothing leads to it", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* visit({ path: "/help" })).status, 404)
      assert.notInclude((yield* visit({ path: "/" })).text, "/help")
      assert.notInclude((yield* visit({ path: "/nowhere", headers: { accept: "text/html" } })).text, "/help")
    })
  )
})

layer(RunningService.layer())("lengths of time", (it) => {
  it.effect("are told as people do", () =>
    Effect.sync(() => {
      const hour = 3_600_000
      assert.deepStrictEqual([24 * hour, 7 * 24 * hour, 36 * hour, hour, hour / 4, 1_500].map(spanText), [
        "24 hours",
        "7 days",
        "36 hours",
        "1 hour",
        "15 minutes",
        "2 seconds"
      ])
    })
  )
})
