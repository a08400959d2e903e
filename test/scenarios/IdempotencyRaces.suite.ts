// Concurrent requests under one idempotency key, and clients that disconnect at any point: there is one order, and every response is
// the same.
import { connect } from "node:net"
import { Effect, HashMap, Ref } from "effect"
import { expect } from "vitest"
import { ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { head } from "#test/adapters/http/server/RawHttp.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, quotesOf } from "../core/BookReads.ts"
import { buyer, cart, freshKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { OrderBookFaults } from "./FaultyOrderBook.ts"
import { isReplay, ORDERS, placedBy, postOrder } from "./HttpCalls.ts"
import { LogLines, RunningService, untilBooks } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const COPIES = 100
const KEYS_EACH = 10

/** Sends the first `bytes` of a request and disconnects after this many turns of the event loop, without reading a response. */
const sendAndClose = (port: number, request: string, bytes: number, turns: number) =>
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
    it.effect(`${KEYS_EACH} × ${COPIES} copies at once, ${kind}: one order for each key, and equal bytes for all`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { sessions } = yield* ProcessorFaults
        const { siteId } = yield* listSite()
        const who = yield* buyer({ creditCents })
        const body = cart([item(siteId)])
        const families = yield* Effect.forEach(
          times(KEYS_EACH, freshKey),
          (idempotencyKey) => concurrently(times(COPIES, () => postOrder(who.key, body, idempotencyKey))),
          { concurrency: 3 }
        )
        for (const answers of families) {
          expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: COPIES })
          expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
          expect(answers.filter(isReplay).length).toBe(COPIES - 1)
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

  it.effect("a client that disconnects anywhere in its request loses nothing: the replay gets the one result", () =>
    Effect.gen(function* () {
      const { books, port } = yield* RunningService
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 50_000 })
      const body = JSON.stringify(cart([item(siteId)]))
      const whole = rawOrder(who.key, "0".repeat(36), body).length
      const disconnections = times(200, (nth) => ({
        idempotencyKey: freshKey(),
        // Half of them send everything, and disconnect a little later each time.
        bytes: nth % 2 === 0 ? whole : Math.floor((whole * nth) / 200),
        turns: nth % 11
      }))
      const finished = yield* Effect.forEach(
        disconnections,
        ({ idempotencyKey, bytes, turns }) =>
          Effect.gen(function* () {
            yield* sendAndClose(port, rawOrder(who.key, idempotencyKey, body), bytes, turns)
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
      // Some disconnected after their order was placed; otherwise the test would have missed the moment it is about.
      expect(finished.filter(({ had }) => had).length).toBeGreaterThan(0)
    })
  )

  it.effect("a client that disconnects between quote and payment link: the link is still stored", () =>
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
      // The server notices within a few turns; if it did not, this test would only be easier to pass.
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

  it.effect("the books are consistent, and nothing was logged as a fault", () =>
    Effect.gen(function* () {
      const { lines } = yield* LogLines
      yield* expectConsistentBooks
      expect(lines).toEqual([])
    })
  )
})
