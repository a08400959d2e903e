// Sessions of the payment processor, run on books and model: stored, with a bank debit under way, ended unpaid.
import { deepStrictEqual } from "node:assert"
import { Result } from "effect"
import { endSession, keepWhilePending } from "#core/decisions/ordering/PaymentSessionProgress.ts"
import { storeSession } from "#core/decisions/ordering/StorePaymentSession.ts"
import { PaymentSessionId } from "#core/domain/shared/Ids.ts"
import { known } from "../BookReads.ts"
import { MINUTE_MS, render } from "../Given.ts"
import type { Of } from "./Command.ts"
import { canReserveAgain, hasExpired, type Model, type ModelQuote } from "./Model.ts"
import { abandonInModel, attempt, type ModelRun, recent } from "./ModelRun.ts"

const sessionId = (n: number): string => `cs_${n}`
const link = (n: number): string => `https://pay.example/${n}`

const byCard = (model: Model, n: number): ModelQuote | undefined =>
  recent(
    model.live().filter(({ card }) => card > 0),
    n
  )

export const keepSession = (run: ModelRun, { quote: n, session }: Of<"store session">): void => {
  const quote = byCard(run.model, n)
  if (quote === undefined) return
  const bound = [...run.model.bound.values()].find((one) => one.quote === quote)
  const after =
    quote.endedSession === null ? {} : { endedSessionId: PaymentSessionId.make(sessionId(quote.endedSession)) }
  const offered = {
    quoteId: quote.id,
    sessionId: PaymentSessionId.make(sessionId(session)),
    paymentUrl: link(session),
    ...after
  }
  const outcome = attempt(run, storeSession(offered, render))
  if (quote.status === "awaiting_approval" || (quote.status === "abandoned" && !bound?.answer)) {
    deepStrictEqual(Result.getOrThrow(Result.flip(outcome))._tag, "QuoteNotOpen")
    run.note("session: came too late")
    return
  }
  if (quote.session === null) {
    quote.session = session
    quote.link = session
  }
  const { reply } = Result.getOrThrow(outcome)
  deepStrictEqual(reply.placement.quote.paymentUrl, quote.link === null ? null : link(quote.link))
  if (bound === undefined) return
  run.note(bound.answer === null ? "session: stored the response" : "session: found the response")
  bound.answer ??= reply.response.body
  deepStrictEqual(reply.response.body, bound.answer)
}

const waitsForPayment = ({ status, mode }: ModelQuote): boolean => status === "awaiting_payment" && mode === "live"

/** A debit may begin in the first session before its link is stored. */
export const beginDebit = (run: ModelRun, { quote: n, session }: Of<"begin debit">): void => {
  const { model } = run
  const quote = byCard(model, n)
  if (quote === undefined) return
  const isFirst = quote.session === null && quote.endedSession === null
  const told = session % 6 === 5 ? session : (quote.session ?? session)
  const expired = hasExpired(quote, model.now)
  const kept =
    waitsForPayment(quote) &&
    !quote.pending &&
    (isFirst || quote.session === told) &&
    (!expired || canReserveAgain(model, quote))
  const { reply } = Result.getOrThrow(
    attempt(run, keepWhilePending({ quoteId: quote.id, sessionId: PaymentSessionId.make(sessionId(told)) }))
  )
  deepStrictEqual(reply.outcome, kept ? "kept" : "ignored")
  run.note(`bank debit: ${reply.outcome}${expired ? " after the expiry" : ""}`)
  if (!kept) return
  quote.pending = true
  quote.session = told
}

export const endItsSession = (run: ModelRun, { quote: n, session }: Of<"end session">): void => {
  const { model } = run
  const quote = byCard(model, n)
  if (quote === undefined) return
  const { pending } = quote
  const told = session % 6 === 5 ? session : (quote.session ?? session)
  const left = quote.endsAt - model.now
  const isTooLate = left > 0 && left < 2 * MINUTE_MS && !pending
  const ignored = !waitsForPayment(quote) || quote.session !== told || isTooLate
  const expected = ignored ? "ignored" : left > 0 ? "reopens" : "lapsed"
  const { reply } = Result.getOrThrow(
    attempt(run, endSession({ quoteId: quote.id, sessionId: PaymentSessionId.make(sessionId(told)) }))
  )
  deepStrictEqual(reply.outcome, expected)
  run.note(`session: ${expected}${pending ? ", debit" : ""}`)
  if (ignored) return
  quote.pending = false
  quote.session = null
  quote.link = null
  quote.endedSession = told
  if (expected === "lapsed") abandonInModel(model, quote, "expiry")
}

/** The sessions of books and model are the same. */
export const compareSessions = ({ books, model }: ModelRun): void => {
  for (const quote of model.live()) {
    const { sessionId: id, paymentUrl, endedSessionId, paymentPendingAtMs } = known(books.quotes, quote.id)
    const idOf = (n: number | null) => (n === null ? null : sessionId(n))
    deepStrictEqual(
      [id, paymentUrl, endedSessionId, paymentPendingAtMs !== null],
      [idOf(quote.session), quote.link === null ? null : link(quote.link), idOf(quote.endedSession), quote.pending]
    )
  }
}
