// Canaries: the operator token and issued keys appear in no log, span, error or row after a session with every kind of failure.
import { layer } from "@effect/vitest"
import { Effect, HashMap, Layer, References } from "effect"
import { expect } from "vitest"
import { OPERATOR_PATH } from "#adapters/operator/OperatorRpcs.ts"
import { OrderBookFaults } from "#test/scenarios/FaultyOrderBook.ts"
import { call } from "#test/scenarios/HttpCalls.ts"
import { LogLines, RunningService } from "#test/scenarios/RunningService.ts"
import * as Recorder from "#test/scenarios/SpanRecorder.ts"
import { customer, operatorClient, operatorClientWith, operatorService, TOKEN } from "./OperatorService.ts"
import { message, payloadOf, tags, validPayloads } from "./Payloads.ts"

const WRONG = `${TOKEN}-but-wrong`

/** The random part of a key; finding it is as bad as finding the key. */
const kernel = (key: string): string => key.slice("sn_live_".length, -6)

/**
 * Issues a key; then every call is refused for its token, payload, body and method; one call meets a failing store, one uses an
 * unknown token.
 */
const session = Effect.gen(function* () {
  const texts: Array<string> = []
  const client = yield* operatorClient()
  const { key } = yield* customer(client, 500)
  const requests = tags.flatMap((tag) => {
    const sound = message(tag, payloadOf(tag))
    return [
      call("POST", OPERATOR_PATH, { key: WRONG, body: sound }),
      call("POST", OPERATOR_PATH, { key, body: sound }),
      call("POST", `${OPERATOR_PATH}?token=${TOKEN}`, { body: sound }),
      call("POST", OPERATOR_PATH, { key: TOKEN, body: message(tag, { surprise: TOKEN }) }),
      call("POST", OPERATOR_PATH, { key: TOKEN, body: TOKEN }),
      call("PUT", `${OPERATOR_PATH}?token=${TOKEN}`, { key: TOKEN, body: sound })
    ]
  })
  // At once, because refusals of wrong tokens are slowed.
  const answers = yield* Effect.all(requests, { concurrency: 100 })
  texts.push(...answers.map((answer) => `${answer.text}\n${[...answer.headers].join("\n")}`))
  const { injectFaults } = yield* OrderBookFaults
  for (const fate of ["is refused", "breaks"] as const) {
    yield* injectFaults(fate)
    texts.push(JSON.stringify(yield* Effect.flip(client.openAccount(validPayloads.openAccount))))
  }
  const unauthorised = yield* operatorClientWith(WRONG)
  texts.push(JSON.stringify(yield* Effect.flip(unauthorised.listAccounts({ limit: 1 }))))
  return { canaries: [TOKEN, kernel(key)], texts }
})

const played = Effect.runSync(Effect.cached(session))

const surroundings = Layer.merge(Recorder.layer, Layer.succeed(References.MinimumLogLevel, "All"))

const leaks = (canaries: ReadonlyArray<string>, texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.filter((text) => canaries.some((canary) => text.includes(canary)))

layer(operatorService().pipe(Layer.provideMerge(surroundings)), { excludeTestServices: true })(
  "secrets of the operator plane",
  (it) => {
    it.effect("are in no response but the one that issues the key", () =>
      Effect.gen(function* () {
        const { canaries, texts } = yield* played
        expect(texts.length).toBeGreaterThan(100)
        expect(leaks(canaries, texts)).toEqual([])
      })
    )

    it.effect("are in no log", () =>
      Effect.gen(function* () {
        const { canaries } = yield* played
        const { lines } = yield* LogLines
        expect(lines.length).toBeGreaterThan(0)
        expect(leaks(canaries, lines)).toEqual([])
      })
    )

    it.effect("are in no span, including a token sent in the query", () =>
      Effect.gen(function* () {
        const { canaries } = yield* played
        const { spans } = yield* Recorder.SpanRecorder
        expect(spans.length).toBeGreaterThan(100)
        expect(leaks(canaries, spans)).toEqual([])
      })
    )

    it.effect("are in no row", () =>
      Effect.gen(function* () {
        const { canaries } = yield* played
        const { books } = yield* RunningService
        const rows = Object.values(yield* books).map((shelf) =>
          JSON.stringify(HashMap.isHashMap(shelf) ? HashMap.toEntries(shelf) : shelf)
        )
        expect(leaks(canaries, rows)).toEqual([])
      })
    )

    it.effect("a defect is reported as internal_error without details", () =>
      Effect.gen(function* () {
        const { texts } = yield* played
        const [busy = "", broken = ""] = texts.slice(-3)
        expect(JSON.parse(busy)).toMatchObject({ code: "store_unavailable", status: 503, retryable: true })
        expect(JSON.parse(broken)).toMatchObject({ code: "internal_error", status: 500 })
        expect(broken).not.toMatch(/ at |\.ts|stack/)
      })
    )
  }
)
