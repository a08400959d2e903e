// Runs one command on books and model, and compares the results.
import { deepStrictEqual } from "node:assert"
import { Result } from "effect"
import { revokeKey } from "#core/decisions/access/Keys.ts"
import { find } from "#core/decisions/Books.ts"
import { switchFulfilment } from "#core/decisions/operations/SwitchFulfilment.ts"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import { settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import { debitOnce, topUp } from "#core/decisions/wallet/AdjustCredit.ts"
import type { AbandonedBy } from "#core/domain/ordering/Quote.ts"
import { AccountId, KeyId, OrderId, PaymentId } from "#core/domain/shared/Ids.ts"
import { render } from "../Given.ts"
import { approve, decline, endInModel } from "./ApprovalCommands.ts"
import { change } from "./ChangeCommands.ts"
import type { Command, Of } from "./Command.ts"
import { advance, cancelOneLink, cancelWholeOrder, correct, move } from "./LinkCommands.ts"
import { canReserveAgain, hasExpired, isOpen, type Model, type ModelQuote } from "./Model.ts"
import { abandonInModel, attempt, type ModelRun, recent, settleInModel, tagOf } from "./ModelRun.ts"
import { accounts, keys, settings } from "./ModelShop.ts"
import { order } from "./OrderCommands.ts"
import { reverse } from "./ReversalCommands.ts"
import { beginDebit, endItsSession, keepSession } from "./SessionCommands.ts"
import { begin, payIt, resume, reverseIt } from "./TopUpCommands.ts"

/** Mostly entries to which the command applies, sometimes any. */
const likely = <A>(things: ReadonlyArray<A>, n: number, fits: (one: A) => boolean): ReadonlyArray<A> =>
  n % 6 === 5 ? things : things.filter(fits)

const expectedOf = (model: Model, quote: ModelQuote, paymentId: string, { offBy, currency }: Of<"pay">): string => {
  const unapproved = quote.status === "awaiting_approval"
  if (quote.card === 0 || (unapproved && quote.mode === "sandbox")) return "QuoteNotFound"
  if (model.payments.has(paymentId) || model.setAside.has(paymentId)) return "repeated"
  if (currency !== "EUR" || offBy !== 0) {
    return quote.mode === "sandbox" || quote.card + offBy <= 0 ? "PaymentMismatch" : "set_aside"
  }
  if (unapproved) return "set_aside"
  const open = quote.status === "awaiting_payment"
  if (open && !hasExpired(quote, model.now)) return "settled"
  const lapsed = open || (quote.status === "abandoned" && quote.by === "expiry")
  return lapsed && canReserveAgain(model, quote) ? "settled" : "credited"
}

const pay = (run: ModelRun, command: Of<"pay">): void => {
  const { model } = run
  const quote = recent(
    likely(model.quotes, command.quote, ({ card }) => card > 0),
    command.quote
  )
  if (quote === undefined) return
  const { id: quoteId, card, mode, account, status } = quote
  const paymentId = PaymentId.make(`${quoteId}/${command.payment}`)
  const expected = expectedOf(model, quote, paymentId, command)
  const payment = {
    paymentId,
    quoteId,
    amountCents: card + command.offBy,
    currency: command.currency
  }
  const outcome = attempt(run, settlePayment(payment, { settings: settings, render }))
  const got = Result.match(outcome, { onSuccess: ({ reply }) => reply.outcome, onFailure: ({ _tag }) => _tag })
  deepStrictEqual(got, expected)
  const late =
    status === "abandoned"
      ? ` ${quote.by}`
      : status === "awaiting_payment" && quote.endsAt <= model.now
        ? quote.pending
          ? " pending"
          : " unswept"
        : ""
  run.note(`pay: ${expected}, ${status}${late}`)
  if (expected === "settled") {
    const orderId = find(run.books.quotes, quoteId)?.orderId ?? OrderId.make("")
    settleInModel(model, quote, orderId, find(run.books.orders, orderId)?.linkIds ?? [])
  }
  if (expected === "credited") {
    if (status === "awaiting_payment") abandonInModel(model, quote, "expiry")
    if (mode === "live") model.addEntry(account, "late_payment", card)
    quote.credited += card
  }
  if (expected === "set_aside") model.setAside.set(paymentId, card + command.offBy)
  if (expected === "settled" || expected === "credited") model.payments.add(paymentId)
}

const abandon = (run: ModelRun, quote: ModelQuote | undefined, by: AbandonedBy): void => {
  const { model } = run
  if (quote === undefined) return
  const due = by === "expiry" ? hasExpired(quote, model.now) : isOpen(quote)
  const attempted = attempt(run, abandonQuote(quote.id, by, { render }))
  if (due && quote.pending) {
    deepStrictEqual(tagOf(attempted), "PaymentUnderWay")
    run.note("abandon: PaymentUnderWay")
    return
  }
  const outcome = Result.getOrThrow(attempted)
  deepStrictEqual(outcome.changes.length > 0, due)
  run.note(due ? `abandoned by ${by}` : "abandon: nothing to do")
  if (due) endInModel(run, quote, by)
  deepStrictEqual(outcome.reply.status, quote.status)
}

const abandonSome = (run: ModelRun, { quote: n, by }: Of<"abandon">): void => {
  const open = likely(run.model.quotes, n, isOpen)
  abandon(run, recent(open, n), by)
}

const repeat = (run: ModelRun, { order: n, changed }: Of<"repeat">): void => {
  const earlier = recent(run.orders, n)
  if (earlier !== undefined) order(run, changed ? { ...earlier, items: [...earlier.items, 0] } : earlier)
}

const deposit = (run: ModelRun, { account: n, cents }: Of<"top up">): void => {
  const { model } = run
  const accountId = accounts[n] ?? AccountId.make("")
  Result.getOrThrow(
    attempt(run, topUp({ accountId: AccountId.make(accountId), cents, reference: "transfer", actor: null }))
  )
  model.paidIn.set(accountId, (model.paidIn.get(accountId) ?? 0) + cents)
  model.addEntry(accountId, "top_up", cents)
}

const debit = (run: ModelRun, { account: n, cents }: Of<"debit">): void => {
  const { model } = run
  const accountId = accounts[n] ?? AccountId.make("")
  const allowed = cents <= model.balance(accountId) - model.held(accountId)
  const reference = `mistake ${model.ledger.get(accountId)?.length ?? 0}`
  const outcome = attempt(
    run,
    debitOnce({ accountId: AccountId.make(accountId), cents, reference, reason: "mistyped", actor: null })
  )
  deepStrictEqual(tagOf(outcome), allowed ? "done" : "BalanceTooLow")
  run.note(`debit: ${allowed}`)
  if (!allowed) return
  model.paidIn.set(accountId, (model.paidIn.get(accountId) ?? 0) - cents)
  model.addEntry(accountId, "adjustment", cents)
}

const revoke = (run: ModelRun, { key: n }: Of<"revoke key">): void => {
  const key = keys[n]
  if (key === undefined) return
  Result.getOrThrow(attempt(run, revokeKey(KeyId.make(key.id), null)))
  run.model.revoked.add(key.id)
}

const switchFulfilmentTo = (run: ModelRun, { manual }: Of<"switch">): void => {
  Result.getOrThrow(attempt(run, switchFulfilment(manual ? "manual" : "auto", null)))
  run.model.manual = manual
}

const sweep = (run: ModelRun): void => {
  for (const quote of run.model.quotes) if (quote.endsAt <= run.model.now) abandon(run, quote, "expiry")
}

const runners: { readonly [Do in Command["do"]]: (run: ModelRun, command: Of<Do>) => void } = {
  order: (run, command) => {
    run.orders.push(command)
    order(run, command)
  },
  repeat,
  "top up": deposit,
  debit,
  wait: (run, { ms }) => {
    run.model.now += ms
  },
  "store session": keepSession,
  "begin debit": beginDebit,
  "end session": endItsSession,
  pay,
  abandon: abandonSome,
  approve,
  decline,
  sweep,
  refund: reverse,
  dispute: reverse,
  "begin top up": begin,
  "pay top up": payIt,
  "refund top up": reverseIt,
  "dispute top up": reverseIt,
  "resume agents": resume,
  "cancel link": cancelOneLink,
  "cancel order": cancelWholeOrder,
  correct,
  "change link": change,
  "move link": move,
  "advance order": advance,
  "revoke key": revoke,
  switch: switchFulfilmentTo
}

export const runCommand = (run: ModelRun, command: Command): void => {
  // The table has the runner of this very kind of command.
  const runner = runners[command.do] as (run: ModelRun, command: Command) => void
  runner(run, command)
}
