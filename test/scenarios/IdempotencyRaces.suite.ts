// Twins in flight, and clients that go away half way: however many requests ask for one purchase, and wherever they break off,
// there is one order, and everyone who gets an answer gets the same one.
import { connect } from "node:net"
import { Effect, HashMap, Ref } from "effect"
import { expect } from "vitest"
import { ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import type { Quote } from "#core/domain/Quote.ts"
import { head } from "#test/adapters/http/RawHttp.ts"
import { concurrently, times } from "#test/ports/StoreSuite.ts"
import { countEach, quotesOf } from "./BookReads.ts"
import { buyer, cart, freshKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { OrderBookFaults } from "./FaultyOrderBook.ts"
import { isReplay, ORDERS, placedBy, postOrder } from "./HttpCalls.ts"
import { LogLines, RunningService, untilBooks } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const TWINS = 100
const KEYS_EACH = 26

/** Sends so much of a request and hangs up, after the event loop has turned so often. Nobody reads an answer. */
const hangUp = (port: number, request: string, bytes: number, turns: number) =>
  Effect.callback<void>((resume) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => {
      socket.write(request.slice(0, bytes))
      let left = turns
      const turn = () => (left-- > 0 ? setImmediate(turn) : socket.destroy())
      turn()
    })
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.void))
  })

const rawOrder = (key: string, idempotencyKey: string, body: string): string =>
  head("POST", ORDERS, {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Idempotency-Key": idempotencyKey
  }) + body

export const idempotencyRacesSuite = scenarios("idempotency races", {}, (it) => {
  for (const [kind, creditCents] of [
    ["credit covers", 1_000_000],
    ["a human pays", 0]
  ] as const) {
    it.effect(`2: ${KEYS_EACH} × ${TWINS} twins at once, ${kind}: one order a key, and equal bytes for all`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { sessions } = yield* ProcessorFaults
        const { siteId } = yield* listSite()
        const who = yield* buyer({ creditCents })
        const body = cart([item(siteId)])
        const families = yield* Effect.forEach(
          times(KEYS_EACH, freshKey),
          (idempotencyKey) => concurrently(times(TWINS, () => postOrder(who.key, body, idempotencyKey))),
          { concurrency: 3 }
        )
        for (const answers of families) {
          expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: TWINS })
          expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
          expect(answers.filter(isReplay).length).toBe(TWINS - 1)
        }
        const quotes = quotesOf(yield* books, who)
        expect(quotes.length).toBe(KEYS_EACH)
        expect((yield* who.api.balance.getBalance()).orders_today.used).toBe(KEYS_EACH)
        const opened = yield* Ref.get(sessions)
        for (const { sessionId, cardCents } of quotes) {
          expect(sessionId !== null && HashMap.has(opened, sessionId)).toBe(cardCents > 0)
        }
      })
    )
  }

  it.effect("6: a client that goes away anywhere in its request loses nothing: the replay tells the one result", () =>
    Effect.gen(function* () {
      const { books, port } = yield* RunningService
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 50_000 })
      const body = JSON.stringify(cart([item(siteId)]))
      const whole = rawOrder(who.key, "0".repeat(36), body).length
      const deserters = times(200, (nth) => ({
        idempotencyKey: freshKey(),
        // Half of them send everything, and leave a little later each time.
        bytes: nth % 2 === 0 ? whole : Math.floor((whole * nth) / 200),
        turns: nth % 11
      }))
      const finished = yield* Effect.forEach(
        deserters,
        ({ idempotencyKey, bytes, turns }) =>
          Effect.gen(function* () {
            yield* hangUp(port, rawOrder(who.key, idempotencyKey, body), bytes, turns)
            const replay = yield* postOrder(who.key, body, idempotencyKey)
            const again = yield* postOrder(who.key, body, idempotencyKey)
            expect([replay.status, again.status, again.text]).toEqual([201, 201, replay.text])
            expect(isReplay(again)).toBe(true)
            return { ...placedBy(replay), idempotencyKey, had: isReplay(replay), whole: bytes === whole }
          }),
        { concurrency: 8 }
      )
      const quotes = quotesOf(yield* books, who)
      expect(new Map(quotes.map(({ idempotencyKey, quoteId }) => [idempotencyKey, quoteId]))).toEqual(
        new Map(finished.map(({ idempotencyKey, quote_id }) => [idempotencyKey, quote_id]))
      )
      expect(quotes.length).toBe(200)
      expect(finished.filter(({ had, whole }) => had && !whole)).toEqual([])
      // Some were gone only after their order was made, or the test would not have come near the moment it is about.
      expect(finished.filter(({ had }) => had).length).toBeGreaterThan(0)
    })
  )

  it.effect("6: a client that goes away between quote and payment link: the link is stored all the same", () =>
    Effect.gen(function* () {
      const { books, port } = yield* RunningService
      const { injectFaults, release } = yield* OrderBookFaults
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 200 })
      const until = (isThere: (quote: Quote) => boolean) => untilBooks((books) => quotesOf(books, who).some(isThere))
      const body = JSON.stringify(cart([item(siteId)]))
      const socket = connect({ port, host: "127.0.0.1" })
      yield* injectFaults("passes", "waits")
      socket.write(rawOrder(who.key, freshKey(), body))
      yield* until(() => true)
      socket.destroy()
      // The server hears of it within a few turns; if it did not, this test would only be easier to pass.
      yield* Effect.repeat(
        Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void))),
        { times: 50 }
      )
      yield* release
      yield* until(({ sessionId }) => sessionId !== null).pipe(Effect.timeout("60 seconds"))
      expect(quotesOf(yield* books, who).map(({ status, paymentUrl }) => [status, paymentUrl !== null])).toEqual([
        ["awaiting_payment", true]
      ])
    })
  )

  it.effect("2, 6: the books are sound, and nothing was logged as a fault", () =>
    Effect.gen(function* () {
      const { lines } = yield* LogLines
      yield* expectConsistentBooks
      expect(lines).toEqual([])
    })
  )
})
