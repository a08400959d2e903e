// Runs decisions in tests as a store would: on books, at a context of its own, folding what they change. Every decision is
// made twice, because a store may do so: the same books and context must decide the same.
import { deepStrictEqual } from "node:assert"
import { HashMap, Result } from "effect"
import { apply } from "#core/decisions/Apply.ts"
import type { Books } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import { type PlaceOrder, placeOrder } from "#core/decisions/PlaceOrder.ts"
import { CONTEXT_ENTROPY_BYTES, type DecisionContext, makeDecisionContext } from "#core/domain/DecisionContext.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { Placement } from "#core/domain/Rendering.ts"
import type { LedgerEntry } from "#core/domain/Wallet.ts"
import { NOON } from "./Given.ts"

let contexts = 0

/** No two are alike, and later ones sort after earlier ones of the same millisecond. */
export const contextAt = (nowMs: number): DecisionContext => {
  const entropy = new Uint8Array(CONTEXT_ENTROPY_BYTES)
  new DataView(entropy.buffer).setUint32(6, contexts++)
  new DataView(entropy.buffer).setUint32(26, contexts)
  return makeDecisionContext(nowMs, entropy)
}

export interface Then<A> {
  readonly reply: A
  readonly changes: ReadonlyArray<Change>
  /** The tags of the changes, in order: what was written, at a glance. */
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

/** What came of a decision that is expected to be made. */
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
  readonly quoteId: string
}

/** An order that is expected to make a quote. */
export const placed = (books: Books, input: PlaceOrder, nowMs?: number): Placed => {
  const { reply, ...then } = when(books, placeOrder(input), nowMs)
  if (reply.kind !== "placed") throw new Error(`expected a quote, got a ${reply.kind}`)
  return { ...then, reply: reply.placement, quoteId: reply.placement.quote.quoteId }
}

/** The one under `id`, which must be there. */
export const known = <K, A>(shelf: HashMap.HashMap<K, A>, id: K): A => HashMap.getUnsafe(shelf, id)

/** An account's ledger, oldest first. */
export const ledgerOf = (books: Books, accountId: string): ReadonlyArray<LedgerEntry> =>
  [...HashMap.values(books.ledger)]
    .filter((entry) => entry.accountId === accountId)
    .sort((a, b) => (a.entryId < b.entryId ? -1 : 1))

/** What moved, in words short enough for an expectation. */
export const movements = (books: Books, accountId: string): ReadonlyArray<string> =>
  ledgerOf(books, accountId).map(({ kind, amountCents }) => `${kind} ${amountCents}`)

export const eventsOf = (books: Books, orderId: string): ReadonlyArray<string> =>
  [...HashMap.values(books.events)]
    .filter((event) => event.orderId === orderId)
    .sort((a, b) => (a.eventId < b.eventId ? -1 : 1))
    .map(({ type }) => type)
