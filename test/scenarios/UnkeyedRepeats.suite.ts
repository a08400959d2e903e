// Orders over MCP without an idempotency key: a repeat within ten minutes gets the first answer with a warning, and buys nothing.
import { Effect } from "effect"
import { expect } from "vitest"
import { bearer } from "#test/adapters/mcp/Clients.ts"
import { post, resultIn, toolCall } from "#test/adapters/mcp/Post.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { quotesOf } from "../core/BookReads.ts"
import { type Buyer, buyer, cart, freshKey, issueKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { OrderBookFaults } from "./FaultyOrderBook.ts"
import { call, ORDERS, QUOTES } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService, ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const COPIES = 20

type Body = Readonly<Record<string, unknown>>

/** Calls create_order on the instances in turn. */
const toolBuyer = Effect.fnUntraced(function* ({ key }: Pick<Buyer, "key">) {
  const { all } = yield* ServiceInstances
  const urls = (yield* all).map(({ url }) => url)
  let turn = 0
  return (args: Body) =>
    Effect.map(post(`${urls[turn++ % urls.length]}/mcp`, toolCall("2025", "create_order", args), bearer(key)), resultIn)
})

const codesOf = ({ warnings }: Body) => (warnings as ReadonlyArray<{ readonly code: string }>).map(({ code }) => code) // as the contract has it

const withoutWarnings = ({ warnings: _, ...rest }: Body) => rest

export const unkeyedRepeatsSuite = scenarios("orders without an idempotency key over MCP", {}, (it) => {
  for (const [kind, creditCents] of [
    ["credit covers", 100_000],
    ["a human pays", 0]
  ] as const) {
    it.effect(`${COPIES} repeats at once, ${kind}: one order, and its answer for all`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const who = yield* buyer({ creditCents })
        const { siteId } = yield* listSite()
        const create = yield* toolBuyer(who)
        const answers = yield* concurrently(times(COPIES, () => create(cart([item(siteId)]))))
        expect(quotesOf(yield* books, who)).toHaveLength(1)
        expect(answers.map(({ isError }) => isError)).toEqual(times(COPIES, () => false))
        expect(new Set(answers.map(({ body }) => JSON.stringify(withoutWarnings(body)))).size).toBe(1)
        const warned = answers.filter(({ body }) => codesOf(body).includes("replayed_without_key"))
        expect(warned).toHaveLength(COPIES - 1)
        yield* expectConsistentBooks
      })
    )
  }

  it.effect("a repeat after the answer was lost gets the one order that was written", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { injectFaults } = yield* OrderBookFaults
      const who = yield* buyer({ creditCents: 10_000 })
      const { siteId } = yield* listSite()
      const create = yield* toolBuyer(who)
      yield* injectFaults("loses its answer")
      expect((yield* create(cart([item(siteId)]))).isError).toBe(true)
      const [written] = quotesOf(yield* books, who)
      const again = yield* create(cart([item(siteId)]))
      expect(again.body).toMatchObject({ quote_id: written?.quoteId, status: "paid" })
      expect(codesOf(again.body)).toEqual(["replayed_without_key"])
      expect(quotesOf(yield* books, who)).toHaveLength(1)
    })
  )

  it.effect(
    "a default spelled out, left out or null is the same order; any other argument, or another API key, is not",
    () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const who = yield* buyer({ creditCents: 100_000 })
        const { siteId } = yield* listSite()
        const create = yield* toolBuyer(who)
        const { format: _, tier2_links: __, ...short } = item(siteId)
        const first = yield* create({ items: [short] })
        for (const same of [
          cart([item(siteId)]),
          { items: [{ ...short, format: null, brief: null }], promo_code: null, dry_run: null, idempotency_key: null }
        ]) {
          const { body } = yield* create(same)
          expect(body).toEqual({ ...first.body, warnings: body["warnings"] })
          expect(codesOf(body)).toEqual(["replayed_without_key"])
        }
        const dry = yield* create({ items: [short], dry_run: true })
        expect(dry.body).toMatchObject({ quote_id: null })
        expect(codesOf(dry.body)).not.toContain("replayed_without_key")
        const guarded = yield* create({ items: [short], max_total_eur: 500 })
        const keyed = yield* create({ items: [short], idempotency_key: freshKey() })
        const other = yield* issueKey(who.accountId)
        const others = yield* (yield* toolBuyer(other))({ items: [short] })
        const rest = yield* call("POST", ORDERS, { key: who.key, body: { items: [short] } })
        const made = [first.body, guarded.body, keyed.body, others.body, JSON.parse(rest.text)]
        expect(new Set(made.map(({ quote_id }) => quote_id)).size).toBe(5)
        for (const body of made) expect(codesOf(body)).not.toContain("replayed_without_key")
        expect(quotesOf(yield* books, who)).toHaveLength(4)
      })
  )

  it.effect("ten minutes later, or once the first quote was abandoned, the same arguments buy again", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const who = yield* buyer()
      const { siteId } = yield* listSite()
      const create = yield* toolBuyer(who)
      const place = Effect.map(create(cart([item(siteId)])), ({ body }) => ({
        id: body["quote_id"],
        codes: codesOf(body)
      }))
      const first = yield* place
      yield* advance("9 minutes")
      expect(yield* place).toEqual({ id: first.id, codes: ["replayed_without_key"] })
      yield* advance("61 seconds")
      const second = yield* place
      expect(second.id).not.toBe(first.id)
      expect(second.codes).toEqual([])
      expect(yield* place).toEqual({ id: second.id, codes: ["replayed_without_key"] })
      expect(yield* call("POST", `${QUOTES}/${second.id}/abandon`, { key: who.key })).toMatchObject({ status: 200 })
      const third = yield* place
      expect([first.id, second.id]).not.toContain(third.id)
      expect(third.codes).toEqual([])
      expect(yield* place).toEqual({ id: third.id, codes: ["replayed_without_key"] })
    })
  )
})
