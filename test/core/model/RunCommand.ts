// Runs one command on books and model, and compares the results.
import { deepStrictEqual } from "node:assert"
import { Result } from "effect"
import { abandonQuote } from "#core/decisions/AbandonQuote.ts"
import { topUp } from "#core/decisions/Accounts.ts"
import { find } from "#core/decisions/Books.ts"
import { revokeKey } from "#core/decisions/Keys.ts"
import { switchFulfilment } from "#core/decisions/Listings.ts"
import { settlePayment } from "#core/decisions/SettlePayment.ts"
import { storeSession } from "#core/decisions/StoreSession.ts"
import type { AbandonedBy } from "#core/domain/Quote.ts"
import { render } from "../Given.ts"
import type { Command, Of } from "./Command.ts"
import { advance, cancelOneLink, cancelWholeOrder, move } from "./LinkCommands.ts"
import type { Model, ModelQuote } from "./Model.ts"
import { abandonInModel, attempt, type ModelRun, recent, settleInModel } from "./ModelRun.ts"
import { accounts, keys, settings } from "./ModelShop.ts"
import { order } from "./OrderCommands.ts"

/** Mostly entries to which the command applies, sometimes any. */
const likely = <A>(things: ReadonlyArray<A>, n: number, fits: (one: A) => boolean): ReadonlyArray<A> =>
  n % 6 === 5 ? things : things.filter(fits)

/** Whether an expired quote can have everything again: credit, articles, code, welcome offer. */
const canReserveAgain = (model: Model, quote: ModelQuote): boolean => {
  if (quote.mode === "sandbox") return true
  const { account, items, code, gross, source, credit, status } = quote
  return (
    (status === "awaiting_payment" || model.available(account) >= credit) &&
    items.every(({ articleId }) => articleId === undefined || model.articleHolder(articleId, quote) === undefined) &&
    (code === null || model.codeFaults(code, account, gross, quote).length === 0) &&
    (source !== "welcome" || model.welcomeHolder(account, quote) === undefined)
  )
}

const expectedOf = (model: Model, quote: ModelQuote, paymentId: string, { offBy, currency }: Of<"pay">): string => {
  if (quote.card === 0) return "QuoteNotFound"
  if (model.payments.has(paymentId)) return "repeated"
  if (currency !== "EUR" || offBy !== 0) return "PaymentMismatch"
  const open = quote.status === "awaiting_payment"
  if (open && quote.endsAt > model.now) return "settled"
  const lapsed = open || (quote.status === "abandoned" && quote.by === "expiry")
  return lapsed && canReserveAgain(model, quote) ? "settled" : "credited"
}

const pay = (story: ModelRun, command: Of<"pay">): void => {
  const { model } = story
  const quote = recent(
    likely(model.quotes, command.quote, ({ card }) => card > 0),
    command.quote
  )
  if (quote === undefined) return
  const { id: quoteId, card, mode, account, credit, status } = quote
  const paymentId = `${quoteId}/${command.payment}`
  const expected = expectedOf(model, quote, paymentId, command)
  const payment = { paymentId, quoteId, amountCents: card + command.offBy, currency: command.currency }
  const outcome = attempt(story, settlePayment(payment, { settings: settings, render }))
  const got = Result.match(outcome, { onSuccess: ({ reply }) => reply.outcome, onFailure: ({ _tag }) => _tag })
  deepStrictEqual(got, expected)
  const late =
    status === "abandoned"
      ? ` ${quote.by}`
      : status === "awaiting_payment" && quote.endsAt <= model.now
        ? " unswept"
        : ""
  story.note(`pay: ${expected}, ${status}${late}`)
  if (expected === "settled") {
    if (status === "abandoned" && mode === "live") model.addEntry(account, "hold", credit)
    const orderId = find(story.books.quotes, quoteId)?.orderId ?? ""
    settleInModel(model, quote, orderId, find(story.books.orders, orderId)?.linkIds ?? [])
  }
  if (expected === "credited") {
    if (status === "awaiting_payment") abandonInModel(model, quote, "expiry")
    if (mode === "live") model.addEntry(account, "late_payment", card)
    quote.credited += card
  }
  if (expected === "settled" || expected === "credited") model.payments.add(paymentId)
}

const abandon = (story: ModelRun, quote: ModelQuote | undefined, by: AbandonedBy): void => {
  const { model } = story
  if (quote === undefined) return
  const open = quote.status === "awaiting_payment"
  const due = by === "expiry" ? open && quote.endsAt <= model.now : open
  const outcome = Result.getOrThrow(attempt(story, abandonQuote(quote.id, by)))
  deepStrictEqual(outcome.changes.length > 0, due)
  story.note(due ? `given up by ${by}` : "given up: nothing to do")
  if (due) abandonInModel(model, quote, by)
  deepStrictEqual(outcome.reply.status, quote.status)
}

const abandonSome = (story: ModelRun, { quote: n, by }: Of<"abandon">): void => {
  const open = likely(story.model.quotes, n, ({ status }) => status === "awaiting_payment")
  abandon(story, recent(open, n), by)
}

const keepSession = (story: ModelRun, { quote: n, session }: Of<"store session">): void => {
  const quote = recent(
    story.model.live().filter(({ card }) => card > 0),
    n
  )
  if (quote === undefined) return
  const bound = [...story.model.bound.values()].find((one) => one.quote === quote)
  const offered = { quoteId: quote.id, sessionId: `cs_${session}`, paymentUrl: `https://pay.example/${session}` }
  const outcome = attempt(story, storeSession(offered, render))
  if (quote.status === "abandoned" && !bound?.answer) {
    deepStrictEqual(Result.getOrThrow(Result.flip(outcome))._tag, "QuoteNotOpen")
    story.note("session: came too late")
    return
  }
  quote.session ??= session
  const { reply } = Result.getOrThrow(outcome)
  deepStrictEqual(reply.quote.paymentUrl, `https://pay.example/${quote.session}`)
  if (bound === undefined) return
  story.note(bound.answer === null ? "session: froze an answer" : "session: found an answer")
  bound.answer ??= reply.response.body
  deepStrictEqual(reply.response.body, bound.answer)
}

const repeat = (story: ModelRun, { order: n, changed }: Of<"repeat">): void => {
  const earlier = recent(story.orders, n)
  if (earlier !== undefined) order(story, changed ? { ...earlier, items: [...earlier.items, 0] } : earlier)
}

const deposit = (story: ModelRun, { account: n, cents }: Of<"top up">): void => {
  const { model } = story
  const accountId = accounts[n] ?? ""
  Result.getOrThrow(attempt(story, topUp({ accountId, cents, reference: "transfer", actor: null })))
  model.paidIn.set(accountId, (model.paidIn.get(accountId) ?? 0) + cents)
  model.addEntry(accountId, "top_up", cents)
}

const revoke = (story: ModelRun, { key: n }: Of<"revoke key">): void => {
  const key = keys[n]
  if (key === undefined) return
  Result.getOrThrow(attempt(story, revokeKey(key.id, null)))
  story.model.revoked.add(key.id)
}

const switchFulfilmentTo = (story: ModelRun, { manual }: Of<"switch">): void => {
  Result.getOrThrow(attempt(story, switchFulfilment(manual ? "manual" : "auto", null)))
  story.model.manual = manual
}

const sweep = (story: ModelRun): void => {
  for (const quote of story.model.quotes) if (quote.endsAt <= story.model.now) abandon(story, quote, "expiry")
}

export const runCommand = (story: ModelRun, command: Command): void => {
  switch (command.do) {
    case "order":
      story.orders.push(command)
      order(story, command)
      break
    case "repeat":
      repeat(story, command)
      break
    case "top up":
      deposit(story, command)
      break
    case "wait":
      story.model.now += command.ms
      break
    case "store session":
      keepSession(story, command)
      break
    case "pay":
      pay(story, command)
      break
    case "abandon":
      abandonSome(story, command)
      break
    case "sweep":
      sweep(story)
      break
    case "cancel link":
      cancelOneLink(story, command.link)
      break
    case "cancel order":
      cancelWholeOrder(story, command.order)
      break
    case "move link":
      move(story, command)
      break
    case "advance order":
      advance(story, command)
      break
    case "revoke key":
      revoke(story, command)
      break
    case "switch":
      switchFulfilmentTo(story, command)
      break
  }
}
