// Runs decisions as a store does: on books, with a fresh context, folding their changes. Each decision runs twice, because a store may
// do so: the same books and context must give the same result.
import { deepStrictEqual } from "node:assert"
import { Result } from "effect"
import { apply } from "#core/decisions/Apply.ts"
import type { Books } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import { type PlaceOrder, placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import {
  CONTEXT_ENTROPY_BYTES,
  type DecisionContext,
  makeDecisionContext
} from "#core/domain/shared/DecisionContext.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import type { Placement } from "#core/domain/webhooks/Rendering.ts"
import { NOON } from "./Given.ts"

let contexts = 0

/** Distinct contexts; later ones sort after earlier ones of the same millisecond. */
export const contextAt = (nowMs: number): DecisionContext => {
  const entropy = new Uint8Array(CONTEXT_ENTROPY_BYTES)
  new DataView(entropy.buffer).setUint32(6, contexts++)
  new DataView(entropy.buffer).setUint32(26, contexts)
  return makeDecisionContext(nowMs, entropy)
}

export interface Then<A> {
  readonly reply: A
  readonly changes: ReadonlyArray<Change>
  /** The tags of the changes, in order. */
  readonly written: ReadonlyArray<Change["_tag"]>
  readonly books: Books
}

export type Outcome<A> = Result.Result<Then<A>, Refusal>

export const decide = <A>(books: Books, decision: Decide<A>, nowMs: number = NOON): Outcome<A> => {
  const context = contextAt(nowMs)
  const result = decision(books, context)
  deepStrictEqual(decision(books, context), result)
  return Result.map(result, ({ reply, changes }) => ({
    reply,
    changes,
    written: changes.map(({ _tag }) => _tag),
    books: changes.reduce(apply, books)
  }))
}

/** The result of a decision that is expected to succeed. */
export const when = <A>(books: Books, decision: Decide<A>, nowMs?: number): Then<A> =>
  Result.getOrThrow(decide(books, decision, nowMs))

/** The refusal of a decision that is expected to be refused, as plain data. */
export const refused = <A>(books: Books, decision: Decide<A>, nowMs?: number): Refusal =>
  Result.match(decide(books, decision, nowMs), {
    onFailure: (refusal) => ({ ...refusal }),
    onSuccess: ({ reply }) => {
      throw new Error(`expected a refusal, got ${JSON.stringify(reply)}`)
    }
  })

export interface Placed extends Then<Placement> {
  readonly quoteId: QuoteId
}

/** An order that is expected to make a quote. */
export const placed = (books: Books, input: PlaceOrder, nowMs?: number): Placed => {
  const { reply, ...then } = when(books, placeOrder(input), nowMs)
  if (reply.kind !== "placed") throw new Error(`expected a quote, got a ${reply.kind}`)
  return { ...then, reply: reply.placement, quoteId: reply.placement.quote.quoteId }
}
