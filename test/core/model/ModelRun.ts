// One life of the shop, told twice: by the decisions in the books, and by the model in plain numbers.
import { Result } from "effect"
import type { Books } from "#core/decisions/Books.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { decide, type Then } from "../RunDecision.ts"
import type { Order } from "./Command.ts"
import { Model, type ModelQuote } from "./Model.ts"
import { opening, sites } from "./ModelShop.ts"

export interface ModelRun {
  readonly model: Model
  books: Books
  /** The orders so far, to be repeated. */
  readonly orders: Array<Order>
  /** What has happened, so that a test can tell whether its stories are any good. */
  readonly note: (event: string) => void
}

export const beginRun = (note: (event: string) => void): ModelRun => ({
  model: new Model(),
  books: opening,
  orders: [],
  note
})

/** Runs a decision now. What it changes is in the books afterwards; a refusal leaves the very same books. */
export const attempt = <A>(story: ModelRun, decision: Decide<A>): Result.Result<Then<A>, Refusal> => {
  const outcome = decide(story.books, decision, story.model.now)
  if (Result.isSuccess(outcome)) story.books = outcome.success.books
  return outcome
}

/** What came of it, as a word: `done`, or the refusal's tag. */
export const tagOf = <A>(outcome: Result.Result<A, Refusal>): string =>
  Result.match(outcome, { onSuccess: () => "done", onFailure: ({ _tag }) => _tag })

/** The n-th from the end, so that small numbers name what is recent. */
export const recent = <A>(things: ReadonlyArray<A>, n: number): A | undefined => things.at(-1 - (n % things.length))

/** A paid quote becomes an order: links begin, the held credit is captured. */
export const settleInModel = (
  model: Model,
  quote: ModelQuote,
  orderId: string | null,
  linkIds: ReadonlyArray<string>
): void => {
  quote.status = "paid"
  quote.by = null
  quote.orderId = orderId
  quote.linkIds = linkIds
  quote.links = quote.items.map(({ siteId, articleId }, index) => {
    const plancton = sites.find(({ id }) => id === siteId)?.shelf === "Plancton"
    const status = plancton && !model.manual ? "assigned" : "to_assign"
    return { status, net: quote.nets[index] ?? 0, article: articleId ?? null }
  })
  if (quote.mode === "live") model.addEntry(quote.account, "capture", quote.credit)
}

/** An open quote ends without an order: what was held goes back. */
export const abandonInModel = (model: Model, quote: ModelQuote, by: NonNullable<ModelQuote["by"]>): void => {
  quote.status = "abandoned"
  quote.by = by
  if (quote.mode === "live") model.addEntry(quote.account, "release", quote.credit)
}
