// A request for a sign-in mail, and a guess of its code, tell nothing of the address: the answers for a known, an unknown and a bounded one are
// the same to the letter, and the times that they take cannot be told apart.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SignInCodes } from "#core/usecases/members/SignInCodes.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { signInMailOf } from "./Invited.ts"
import { openAccount, type PageRequest, visit, withoutAsked } from "./Visitors.ts"

const PAIRS = 200

/** That a time of `one` is above a time of `other`, as a share of all pairs; a half where they are alike. */
const shareAbove = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): number => {
  let above = 0
  for (const a of one) for (const b of other) above += a > b ? 1 : a === b ? 0.5 : 0
  return above / (one.length * other.length)
}

/** For samples of this size the share lies within 0.029 of a half for two thirds of all runs, and beyond five times that for none. */
const FARTHEST = 0.15

const timed = Effect.fnUntraced(function* (request: PageRequest) {
  const startMs = performance.now()
  const { status, location, text, headers } = yield* visit({ method: "POST", ...request })
  const elapsedMs = performance.now() - startMs
  const kept = [...headers].filter(([name]) => !["date", "request-id"].includes(name))
  const told = kept.map(([name, value]) => [name, withoutAsked(value)])
  return { elapsedMs, answer: JSON.stringify({ status, location, text, told }) }
})

const ask = (email: string) => timed({ path: "/account/sign-in", form: { email } })

/** A guess for a mail that was sent to a known address, and for one that was sent to none. */
const guess = Effect.fnUntraced(function* (kind: "known" | "unknown", email: string) {
  const { kept } = yield* kind === "known" ? signInMailOf(email) : (yield* SignInCodes).ask(email)
  const path = "/account/sign-in/code"
  const { answer, elapsedMs } = yield* timed({ path, form: { code: "123456" }, headers: { cookie: `asked=${kept}` } })
  return { elapsedMs, answer: answer.replaceAll(email, "ADDRESS") }
})

/** The answers, and the times of both kinds. */
const inTurns = Effect.fnUntraced(function* <E, R>(
  asked: (
    kind: "known" | "unknown",
    nth: number
  ) => Effect.Effect<{ readonly elapsedMs: number; readonly answer: string }, E, R>
) {
  const answers = new Set<string>()
  const times: Record<"known" | "unknown", Array<number>> = { known: [], unknown: [] }
  for (let nth = 0; nth < PAIRS; nth++) {
    // Each kind is first as often, so that what slows the machine slows both.
    const order = nth % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const)
    for (const kind of order) {
      const { answer, elapsedMs } = yield* asked(kind, nth)
      answers.add(answer)
      // Code that is compiled meanwhile would weigh on the first ones.
      if (nth >= PAIRS / 10) times[kind].push(elapsedMs)
    }
  }
  return { answers, times }
})

const expectAlike = (times: Readonly<Record<"known" | "unknown", ReadonlyArray<number>>>): void => {
  const share = shareAbove(times.known, times.unknown)
  assert.isAbove(share, 0.5 - FARTHEST)
  assert.isBelow(share, 0.5 + FARTHEST)
}

layer(RunningService.layer())("a request for a link", (it) => {
  it.effect("is answered alike for known, unknown and bounded addresses, and as fast", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const { answers, times } = yield* inTurns((kind, nth) =>
        ask(kind === "known" ? ownerEmail : `nobody${nth}@example.com`)
      )
      assert.strictEqual(answers.size, 1)
      assert.include([...answers][0] ?? "", "/account/sign-in/sent")
      expectAlike(times)
    })
  )
})

layer(RunningService.layer())("a guess of a code", (it) => {
  it.effect("is answered alike whether or not a mail was sent, and as fast", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const { advance } = yield* MovableClock
      const [name = ""] = ownerEmail.split("@")
      /** Has the length of the known one, because the page names it. */
      const unknown = (nth: number) => `${`n${nth}`.padEnd(name.length, "x")}@example.com`
      const { answers, times } = yield* inTurns(
        Effect.fnUntraced(function* (kind, nth) {
          // So that no bound is reached.
          if (nth % 5 === 0) yield* advance("25 hours")
          return yield* guess(kind, kind === "known" ? ownerEmail : unknown(nth))
        })
      )
      assert.strictEqual(answers.size, 1)
      assert.include([...answers][0] ?? "", "This code was not accepted")
      expectAlike(times)
    })
  )
})
