// Approves and declines quotes on books and model, and compares the results.
import { deepStrictEqual, ok } from "node:assert"
import { Result } from "effect"
import { bindingOf, find } from "#core/decisions/Books.ts"
import { approveQuote, declineQuote } from "#core/decisions/ordering/ApproveQuote.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { render } from "../Given.ts"
import type { Of } from "./Command.ts"
import type { ModelQuote } from "./Model.ts"
import { abandonInModel, attempt, type ModelRun, recent, settleInModel } from "./ModelRun.ts"
import { settings, TTL_MS } from "./ModelShop.ts"

/** The response of its idempotency key has to be stored by now, and stays as it is. */
const freezeInModel = (run: ModelRun, quote: ModelQuote): void => {
  for (const bound of run.model.bound.values()) {
    if (bound.quote !== quote || bound.answer !== null) continue
    const found = find(run.books.quotes, quote.id)
    const { response } = (found && bindingOf(run.books, found)) ?? {}
    ok(response, "no response was stored")
    ok(response.body.includes(`"${quote.status}"`), `${response.body} is not ${quote.status}`)
    bound.answer = response.body
  }
}

/** An open quote ends without an order; if it was never decided, its response is frozen. */
export const endInModel = (run: ModelRun, quote: ModelQuote, by: NonNullable<ModelQuote["by"]>): void => {
  const undecided = quote.status === "awaiting_approval"
  abandonInModel(run.model, quote, by)
  if (undecided) freezeInModel(run, quote)
}

/** Ends the quote where it is too late to decide, and tells whether it did. */
const tooLate = (run: ModelRun, quote: ModelQuote): boolean => {
  const { model } = run
  const expired = quote.endsAt <= model.now
  if (!expired && !model.revoked.has(quote.key)) return false
  endInModel(run, quote, expired ? "expiry" : "human")
  run.note(`decide: ${expired ? "expired" : "revoked"}`)
  return true
}

const someQuote = ({ model }: ModelRun, n: number): ModelQuote | undefined => {
  const waiting = model.quotes.filter(({ status }) => status === "awaiting_approval")
  return recent(n % 6 === 5 ? model.quotes : waiting, n)
}

const sandboxPage = (token: string): string => token

export const approve = (run: ModelRun, { quote: n }: Of<"approve">): void => {
  const quote = someQuote(run, n)
  if (quote === undefined) return
  const { model } = run
  const waited = quote.status === "awaiting_approval"
  const outcome = attempt(run, approveQuote({ quoteId: quote.id, by: null, settings, render, sandboxPage }))
  if (!waited) {
    deepStrictEqual(Result.getOrThrow(Result.flip(outcome))._tag, "QuoteNotOpen")
    run.note("approve: QuoteNotOpen")
    return
  }
  const isTooLate = quote.endsAt <= model.now || model.revoked.has(quote.key)
  if (!isTooLate && quote.mode === "live" && quote.credit > 0 && (model.owed.get(quote.account) ?? 0) > 0) {
    deepStrictEqual(Result.getOrThrow(Result.flip(outcome))._tag, "SpendPolicyRefused")
    run.note("approve: SpendPolicyRefused")
    return
  }
  const { reply } = Result.getOrThrow(outcome)
  if (tooLate(run, quote)) {
    deepStrictEqual(reply.status, "abandoned")
    return
  }
  quote.endsAt = model.now + TTL_MS
  quote.status = "awaiting_payment"
  if (quote.card === 0) {
    const orderId = find(run.books.quotes, quote.id)?.orderId ?? OrderId.make("")
    settleInModel(model, quote, orderId, find(run.books.orders, orderId)?.linkIds ?? [])
  }
  run.note(`approve: ${quote.status} ${quote.mode}`)
  deepStrictEqual(reply.status, quote.status)
  if (quote.card === 0 || quote.mode === "sandbox") freezeInModel(run, quote)
}

export const decline = (run: ModelRun, { quote: n, word }: Of<"decline">): void => {
  const quote = someQuote(run, n)
  if (quote === undefined) return
  const waited = quote.status === "awaiting_approval"
  const outcome = attempt(run, declineQuote({ quoteId: quote.id, by: null, reason: word, render }))
  if (!waited) {
    deepStrictEqual(Result.getOrThrow(Result.flip(outcome))._tag, "QuoteNotOpen")
    return
  }
  Result.getOrThrow(outcome)
  if (tooLate(run, quote)) return
  quote.declined = word
  endInModel(run, quote, "human")
  run.note("decline: done")
}
