// The operator's token and the keys that the client issues, as canaries: after a session with all that can go wrong in it, they are
// in no log, span, error or row.
import { layer } from "@effect/vitest"
import { Effect, HashMap, Layer, References } from "effect"
import { expect } from "vitest"
import { OPERATOR_PATH } from "#adapters/operator/OperatorRpcs.ts"
import { call } from "#test/scenarios/Calls.ts"
import { BookFaults } from "#test/scenarios/FaultyBook.ts"
import * as Recorder from "#test/scenarios/Recorder.ts"
import { Logbook, Shop } from "#test/scenarios/Shop.ts"
import { customer, openShop, operatorClient, operatorClientWith, TOKEN } from "./OperatorService.ts"
import { message, payloadOf, tags, validPayloads } from "./Payloads.ts"

const WRONG = `${TOKEN}-but-wrong`

/** The random middle of a key would be as bad as the whole of it. */
const kernel = (key: string): string => key.slice("sn_live_".length, -6)

/**
 * A customer is issued a key; then every call is refused, for its token, its payload, its body and its method; one meets a store
 * that fails, and one is a stranger's.
 */
const session = Effect.gen(function* () {
  const texts: Array<string> = []
  const client = yield* operatorClient()
  const { key } = yield* customer(client, 500)
  for (const tag of tags) {
    const sound = message(tag, payloadOf(tag))
    const sent = [
      call("POST", OPERATOR_PATH, { key: WRONG, body: sound }),
      call("POST", OPERATOR_PATH, { key, body: sound }),
      call("POST", `${OPERATOR_PATH}?token=${TOKEN}`, { body: sound }),
      call("POST", OPERATOR_PATH, { key: TOKEN, body: message(tag, { surprise: TOKEN }) }),
      call("POST", OPERATOR_PATH, { key: TOKEN, body: TOKEN }),
      call("PUT", `${OPERATOR_PATH}?token=${TOKEN}`, { key: TOKEN, body: sound })
    ]
    for (const request of sent) {
      const answer = yield* request
      texts.push(`${answer.text}\n${[...answer.headers].join("\n")}`)
    }
  }
  const { ordain } = yield* BookFaults
  for (const fate of ["is refused", "breaks"] as const) {
    yield* ordain(fate)
    texts.push(JSON.stringify(yield* Effect.flip(client.openAccount(validPayloads.openAccount))))
  }
  const stranger = yield* operatorClientWith(WRONG)
  texts.push(JSON.stringify(yield* Effect.flip(stranger.listAccounts({ limit: 1 }))))
  return { canaries: [TOKEN, kernel(key)], texts }
})

const played = Effect.runSync(Effect.cached(session))

const surroundings = Layer.merge(Recorder.layer, Layer.succeed(References.MinimumLogLevel, "All"))

const leaks = (canaries: ReadonlyArray<string>, texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.filter((text) => canaries.some((canary) => text.includes(canary)))

layer(openShop().pipe(Layer.provideMerge(surroundings)), { excludeTestServices: true })("the desk's secrets", (it) => {
  it.effect("37: are in no answer but the one that issues the key", () =>
    Effect.gen(function* () {
      const { canaries, texts } = yield* played
      expect(texts.length).toBeGreaterThan(100)
      expect(leaks(canaries, texts)).toEqual([])
    })
  )

  it.effect("37: are in no log", () =>
    Effect.gen(function* () {
      const { canaries } = yield* played
      const { lines } = yield* Logbook
      expect(lines.length).toBeGreaterThan(0)
      expect(leaks(canaries, lines)).toEqual([])
    })
  )

  it.effect("37: are in no span, not even a token that was sent in the query", () =>
    Effect.gen(function* () {
      const { canaries } = yield* played
      const { spans } = yield* Recorder.Recorder
      expect(spans.length).toBeGreaterThan(100)
      expect(leaks(canaries, spans)).toEqual([])
    })
  )

  it.effect("37: are in no row", () =>
    Effect.gen(function* () {
      const { canaries } = yield* played
      const { books } = yield* Shop
      const rows = Object.values(yield* books).map((shelf) =>
        JSON.stringify(HashMap.isHashMap(shelf) ? HashMap.toEntries(shelf) : shelf)
      )
      expect(leaks(canaries, rows)).toEqual([])
    })
  )

  it.effect("a mistake of ours is told as one, with nothing of its inside", () =>
    Effect.gen(function* () {
      const { texts } = yield* played
      const [busy = "", broken = ""] = texts.slice(-3)
      expect(JSON.parse(busy)).toMatchObject({ code: "store_unavailable", status: 503, retryable: true })
      expect(JSON.parse(broken)).toMatchObject({ code: "internal_error", status: 500 })
      expect(broken).not.toMatch(/ at |\.ts|stack/)
    })
  )
})
