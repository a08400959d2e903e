// One run of a history, on the books by the decisions and on the model in plain numbers.

import { Result } from "effect"
import type { Books } from "#core/decisions/Books.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { decide, type Then } from "../RunDecision.ts"
import type { Order } from "./Command.ts"
import { Model, type ModelQuote } from "./Model.ts"
import { opening, sites } from "./ModelShop.ts"

export interface ModelRun {
  readonly model: Model
  books: Books
  /** The orders so far, which commands may repeat. */
  readonly orders: Array<Order>
  /** Counts what happened, so that a test can check that its histories reach every case. */
  readonly note: (event: string) => void
}

export const beginRun = (note: (event: string) => void): ModelRun => ({
  model: new Model(),
  books: opening,
  orders: [],
  note
})

/** Runs a decision now and folds its changes into the books. A refusal leaves the same books. */
export const attempt = <A>(run: ModelRun, decision: Decide<A>): Result.Result<Then<A>, Refusal> => {
  const outcome = decide(run.books, decision, run.model.now)
  if (Result.isSuccess(outcome)) run.books = outcome.success.books
  return outcome
}

/** `done`, or the tag of the refusal. */
export const tagOf = <A>(outcome: Result.Result<A, Refusal>): string =>
  Result.match(outcome, { onSuccess: () => "done", onFailure: ({ _tag }) => _tag })

/** The n-th from the end: small numbers refer to recent entries. */
export const recent = <A>(things: ReadonlyArray<A>, n: number): A | undefined => things.at(-1 - (n % things.length))

/** A quote becomes an order: its links start, the held credit is captured. */
export const settleInModel = (
  model: Model,
  quote: ModelQuote,
  orderId: OrderId | null,
  linkIds: ReadonlyArray<LinkId>
): void => {
  quote.status = "paid"
  quote.by = null
  quote.pending = false
  quote.orderId = orderId
  quote.linkIds = linkIds
  quote.links = quote.items.map(({ siteId, articleId, targetUrl: target }, index) => {
    const plancton = sites.find(({ id }) => id === siteId)?.shelf === "Plancton"
    const status = plancton && !model.manual ? "assigned" : "to_assign"
    const words = { target, changes: 0, unseen: false }
    const cancelled = { credited: 0, refunded: false }
    const net = quote.nets[index] ?? 0
    return { status, announced: false, net, article: articleId ?? null, ...cancelled, ...words }
  })
  if (quote.mode === "live") model.addEntry(quote.account, "capture", quote.credit)
}

/** An open quote ends without an order: its hold is released. */
export const abandonInModel = (model: Model, quote: ModelQuote, by: NonNullable<ModelQuote["by"]>): void => {
  quote.status = "abandoned"
  quote.by = by
  quote.pending = false
  if (quote.mode === "live") model.addEntry(quote.account, "release", quote.credit)
}
