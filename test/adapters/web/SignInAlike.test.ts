// A request for a sign-in link tells nothing of the address: the answers for a known, an unknown and a bounded one are the same to the
// letter, and the times that they take cannot be told apart.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"

const PAIRS = 200

/** That a time of `one` is above a time of `other`, as a share of all pairs; a half where they are alike. */
const shareAbove = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): number => {
  let above = 0
  for (const a of one) for (const b of other) above += a > b ? 1 : a === b ? 0.5 : 0
  return above / (one.length * other.length)
}

/** For samples of this size the share lies within 0.029 of a half for two thirds of all runs, and beyond five times that for none. */
const FARTHEST = 0.15

const ask = Effect.fnUntraced(function* (email: string) {
  const startMs = performance.now()
  const { status, location, text, headers } = yield* visit({
    method: "POST",
    path: "/account/sign-in",
    form: { email }
  })
  const elapsedMs = performance.now() - startMs
  const kept = [...headers].filter(([name]) => !["date", "request-id"].includes(name))
  return { elapsedMs, answer: JSON.stringify({ status, location, text, kept }) }
})

layer(RunningService.layer())("a request for a link", (it) => {
  it.effect("is answered alike for known, unknown and bounded addresses, and as fast", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const answers = new Set<string>()
      const times: Record<"known" | "unknown", Array<number>> = { known: [], unknown: [] }
      for (let nth = 0; nth < PAIRS; nth++) {
        // In turns, and each of them first as often, so that what slows the machine slows both.
        const order = nth % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const)
        for (const kind of order) {
          const { answer, elapsedMs } = yield* ask(kind === "known" ? ownerEmail : `nobody${nth}@example.com`)
          answers.add(answer)
          // Code that is compiled meanwhile would weigh on the first ones.
          if (nth >= PAIRS / 10) times[kind].push(elapsedMs)
        }
      }
      assert.strictEqual(answers.size, 1)
      assert.include([...answers][0] ?? "", "/account/sign-in/sent")
      const share = shareAbove(times.known, times.unknown)
      assert.isAbove(share, 0.5 - FARTHEST)
      assert.isBelow(share, 0.5 + FARTHEST)
    })
  )
})
