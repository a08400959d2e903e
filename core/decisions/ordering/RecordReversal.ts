// Records a refund or a dispute of a quote's payment. What the account already had back as credit is taken back as far as it is
// available, so that the money is given back once; reconciliation names the rest.
import { HashMap, Result } from "effect"
import { PROCESSOR } from "#core/domain/members/Actor.ts"
import { creditedCents } from "#core/domain/ordering/Order.ts"
import { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { ReversalNotice } from "#core/domain/ordering/ProcessorNotice.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { goneCents, later, type Reversal } from "#core/domain/ordering/Reversal.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, ledgerEntry, unchanged } from "../Draft.ts"

export const reversalsOf = (books: Books, quoteId: QuoteId): ReadonlyArray<Reversal> =>
  Array.from(HashMap.values(books.reversals)).filter((reversal) => reversal.quoteId === quoteId)

/** What was set aside came in as well, so that giving it back takes no credit; once credited, it is among the payments. */
const receivedBy = (books: Books) => [
  ...HashMap.values(books.payments),
  ...Array.from(HashMap.values(books.setAside)).filter(({ outcome }) => outcome !== "credited")
]

/** What came in for a quote: by card, and from credit once it is paid. */
const cameIn = (books: Books, quote: Quote): number =>
  receivedBy(books)
    .filter(({ quoteId }) => quoteId === quote.quoteId)
    .reduce((cents, { amountCents }) => cents + amountCents, quote.status === "paid" ? quote.creditCents : 0)

/** What came back as credit: cancelled links and late payments, less what was taken back. */
const cameBackAsCredit = (books: Books, quote: Quote): number => {
  const links = Array.from(HashMap.values(books.links)).filter(({ quoteId }) => quoteId === quote.quoteId)
  const takenBack = reversalsOf(books, quote.quoteId).reduce((cents, one) => cents + one.takenBackCents, 0)
  return creditedCents(links) + quote.creditedCents - takenBack
}

/** What may still be given back as credit if `gone` went back otherwise; negative if too much came back. */
export const leftToGiveBack = (books: Books, quote: Quote, gone: number): number =>
  cameIn(books, quote) - cameBackAsCredit(books, quote) - gone

const isSame = (a: Reversal | undefined, b: Reversal): boolean =>
  a !== undefined && a.cents === b.cents && a.state === b.state && a.takenBackCents === b.takenBackCents

export interface RecordedReversal {
  readonly reversal: Reversal
  /** `repeated`: nothing of it was new. */
  readonly outcome: "recorded" | "repeated"
}

export const recordReversal =
  (notice: ReversalNotice): Decide<RecordedReversal, QuoteNotFound> =>
  (books, context) => {
    const { quoteId, reversalId } = notice
    const quote = find(books.quotes, quoteId)
    const account = quote === undefined ? undefined : find(books.accounts, quote.accountId)
    if (quote === undefined || account === undefined) return Result.fail(new QuoteNotFound({ quoteId }))
    const known = find(books.reversals, reversalId)
    const told = later(known, { ...notice, takenBackCents: 0, atMs: context.nowMs })
    const draft = new Draft(books, context)
    draft.record({ _tag: "ReversalRecorded", reversal: told })
    const tooMuch = -leftToGiveBack(draft.books, quote, goneCents(reversalsOf(draft.books, quoteId)))
    const cents = Math.min(tooMuch, cameBackAsCredit(books, quote), availableCents(account.wallet))
    const reversal = cents > 0 ? { ...told, takenBackCents: told.takenBackCents + cents } : told
    if (isSame(known, reversal)) return Result.succeed(unchanged({ reversal, outcome: "repeated" }))
    if (cents > 0) {
      draft.record({ _tag: "ReversalRecorded", reversal })
      // The running total makes the reference of each part its own.
      const reference = `${reversalId} ${reversal.takenBackCents}`
      const entry = ledgerEntry(draft, quote.accountId, { kind: "adjustment", cents }, { quoteId, reference })
      draft.record({ _tag: "Debited", entry })
    }
    const { kind, state, takenBackCents } = reversal
    const details = { reversal: reversalId, state, cents: reversal.cents, taken_back_cents: takenBackCents }
    audit(draft, PROCESSOR, { action: `payment.${kind}`, subject: quoteId, accountId: quote.accountId, details })
    return Result.succeed(draft.decided({ reversal, outcome: "recorded" }))
  }
