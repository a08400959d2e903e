// A pass of the sweeper goes over everything that is due, however much that is and whatever fails on the way.
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import type { Quote } from "#core/domain/Quote.ts"
import { QuoteNotFound } from "#core/domain/Refusal.ts"
import { Quotes } from "#core/ports/Quotes.ts"
import { AbandonQuote } from "#core/usecases/AbandonQuote.ts"
import { OpenPayment } from "#core/usecases/OpenPayment.ts"
import { SweepQuotes } from "#core/usecases/SweepQuotes.ts"
import { placed } from "#test/core/Deciding.ts"
import { given, orderBy } from "#test/core/Given.ts"
import { times } from "#test/ports/StoreSuite.ts"

const { quote } = placed(given(), orderBy("key_poor")).reply

const DUE = 1_000

/** Nearly all of the oldest fail whenever they are tried, and a few of the others. */
const isBroken = (index: number): boolean => (index < 300 && index % 10 !== 0) || index % 100 === 99

const named = (index: number): string => `q_${String(index).padStart(5, "0")}`

/** Due quotes and what was tried with them. */
const sweeping = (ids: ReadonlyArray<string>) => {
  const left = new Set(ids)
  const tried: Array<string> = []
  const page = ({ limit, after = null }: { readonly limit: number; readonly after?: string | null }) =>
    Effect.sync(() => [...left].filter((id) => after === null || id > after).slice(0, limit))
  const finish = ({ quoteId }: Quote) =>
    Effect.suspend(() => {
      tried.push(quoteId)
      if (isBroken(ids.indexOf(quoteId))) return Effect.fail(new QuoteNotFound({ quoteId }))
      left.delete(quoteId)
      return Effect.succeed(quote)
    })
  const store = Layer.mock(Quotes, {
    byId: (quoteId) => Effect.succeed({ ...quote, quoteId }),
    due: page,
    withoutSession: () => Effect.succeed([])
  })
  const others = Layer.merge(Layer.mock(AbandonQuote, { abandon: finish }), Layer.mock(OpenPayment, {}))
  return { layer: SweepQuotes.layer.pipe(Layer.provide(store), Layer.provide(others)), left, tried }
}

const ids = times(DUE, named)
const broken = ids.filter((_, index) => isBroken(index))

it.effect("one pass tries every due quote once, the broken ones too, and finishes all others", () => {
  const { layer, left, tried } = sweeping(ids)
  return Effect.gen(function* () {
    const { sweep } = yield* SweepQuotes
    expect(yield* sweep()).toEqual({ expired: DUE - broken.length, resumed: 0 })
    expect(tried).toEqual(ids)
    expect([...left]).toEqual(broken)
    expect(yield* sweep()).toEqual({ expired: 0, resumed: 0 })
    expect(tried).toEqual([...ids, ...broken])
  }).pipe(Effect.provide(layer))
})

it.effect("an account's wallet is not shown before all of its expired quotes were tried", () => {
  const { layer, left } = sweeping(ids)
  return Effect.gen(function* () {
    const { sweepAccount } = yield* SweepQuotes
    yield* sweepAccount(quote.accountId)
    expect([...left]).toEqual(broken)
  }).pipe(Effect.provide(layer))
})
