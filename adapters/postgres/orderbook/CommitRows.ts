// The rows that a decision writes, as the SQL function `write_changes` takes them.
import { HashMap } from "effect"
import { type Books, bindingOf, find, linksOf } from "#core/decisions/Books.ts"
import { type ChangedRow, laterRows } from "#core/decisions/Difference.ts"
import type { Account } from "#core/domain/members/Account.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { textRevision } from "#core/domain/ordering/LinkChange.ts"
import { orderStatus } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { accounts, audit, dailyUsage, invitations, keys, members, topUpReversals, topUps } from "../rows/AccountRows.ts"
import { events, ledger, linkColumns, links, payments, reversals, setAside } from "../rows/OrderRows.ts"
import { quotes } from "../rows/QuoteRows.ts"
import { isOfFewForms, storedText, type TextForms, textFormRows } from "../rows/StoredText.ts"
import { omitEmpty, type RowSet, withVersion } from "./Commits.ts"
import {
  offerRows,
  promoCodeOf,
  promoRows,
  takesWelcome,
  unchangedVersions,
  webhookRows,
  welcomeRows
} from "./GuardedRows.ts"
import type { WriteContext } from "./LoadedBooks.ts"
import { rowsOf, rowsOver } from "./WrittenRows.ts"

/** New accounts, and all that were loaded, changed or not: an account's version guards all its rows. */
const writtenAccounts = ({ loaded, after }: WriteContext): ReadonlyArray<ChangedRow<Account>> =>
  Array.from(HashMap.values(after.accounts), (account) => ({
    before: find(loaded.books.accounts, account.accountId),
    after: account
  })).filter(({ before, after }) => before === undefined || loaded.versions.accounts.has(after.accountId))

const registerRows = ({ changed, version }: WriteContext): RowSet =>
  withVersion(
    omitEmpty({
      ...rowsOf(members, changed.members),
      ...rowsOf(invitations, changed.invitations),
      ...rowsOf(topUps, changed.topUps),
      ...rowsOf(keys, changed.keys),
      ...rowsOf(audit, changed.audit)
    }),
    version
  )

const HOLD_STATES = {
  awaiting_approval: "open",
  awaiting_payment: "open",
  paid: "captured",
  abandoned: "released"
} as const

/**
 * Holds and bindings are stored as columns of their quote: one that did not follow from its quote would be lost, which is a defect.
 */
const checkQuoteColumns = ({ after, changed }: WriteContext): void => {
  for (const { quoteId, holdId, accountId, cents, state } of laterRows(changed.holds)) {
    const quote = find(after.quotes, quoteId)
    const fits =
      quote?.holdId === holdId &&
      quote.accountId === accountId &&
      quote.creditCents === cents &&
      HOLD_STATES[quote.status] === state
    if (!fits) throw new Error(`hold ${holdId} is ${state} and does not follow from quote ${quoteId}`)
  }
  for (const { quoteId, keyId, idempotencyKey } of laterRows(changed.bindings)) {
    const quote = find(after.quotes, quoteId)
    if (quote?.keyId !== keyId || quote.idempotencyKey !== idempotencyKey)
      throw new Error(`a second idempotency key is bound to quote ${quoteId}`)
  }
}

/** A quote's row, with its binding and its order. Its hold and its use of a code follow from the quote itself. */
const quoteColumns = (books: Books, quote: Quote) => {
  const { orderId } = quote
  const binding = bindingOf(books, quote)
  const order = find(books.orders, orderId)
  return {
    ...quote,
    promoCode: promoCodeOf(quote),
    takesWelcome: takesWelcome(quote) ? true : null,
    boundScope: binding?.boundScope,
    fingerprint: binding?.fingerprint,
    answerStatus: binding?.response?.status,
    answerBody: binding?.response?.body,
    orderedAtMs: order?.createdAtMs,
    orderStatus: order && orderStatus(linksOf(books, order))
  }
}

/**
 * The row of a new quote. The lines of an order are those of its links. Its answer has one of few forms, unless the discount names a domain,
 * the order has a reference, or there are warnings, which name much that is the client's.
 */
const newQuote = (books: Books, quote: Quote, forms: TextForms) => {
  const row = quoteColumns(books, quote)
  const { quoteId, orderId, lines, warnings, reference } = quote
  const { answerBody } = row
  const hasForm = warnings.length === 0 && reference === null && isOfFewForms(quote.discount)
  return quotes.values({
    ...row,
    lines: orderId === null ? lines : [],
    discount: JSON.stringify(quote.discount),
    answerBody: answerBody != null && hasForm ? storedText(answerBody, quoteId, forms) : answerBody
  })
}

/**
 * A link with another text no longer tells the line that was ordered: from now on the quote has its lines itself, whether or not it had them
 * before.
 */
const isReworded = ({ before, after }: ChangedRow<Link>): boolean =>
  before !== undefined && textRevision(before) !== textRevision(after)

/** New quotes, and those that changed, or of which the binding or a link did: their row has the answer and the order's status. */
const quoteRows = ({ loaded, after, changed }: WriteContext, forms: TextForms): RowSet => {
  const { quotes: quoted, bindings, links: moved } = changed
  const reworded = new Set(moved.filter(isReworded).map(({ after: { quoteId } }) => quoteId))
  const ids = new Set([...quoted, ...bindings, ...moved].map(({ after: { quoteId } }) => quoteId))
  const written = Array.from(
    ids,
    (quoteId) => [find(loaded.books.quotes, quoteId), find(after.quotes, quoteId)] as const
  )
  const storedColumns = (quote: Quote) => ({
    ...quoteColumns(loaded.books, quote),
    ...(reworded.has(quote.quoteId) ? { lines: [] } : {})
  })
  return {
    new_quotes: written.flatMap(([before, quote]) => (before || !quote ? [] : [newQuote(after, quote, forms)])),
    quotes: written.flatMap(([before, quote]) =>
      before && quote ? (quotes.changes(storedColumns(before), quoteColumns(after, quote)) ?? []) : []
    )
  }
}

/** An entry with the hold that it begins or ends, which is that of its quote. */
const entryColumns = (books: Books, entry: LedgerEntry) => ({
  ...entry,
  holdId: entry.heldDeltaCents === 0 ? null : find(books.quotes, entry.quoteId)?.holdId
})

const orderRows = (write: WriteContext): RowSet => {
  const { after, changed } = write
  const forms: TextForms = new Map()
  checkQuoteColumns(write)
  return {
    ...rowsOf(dailyUsage, changed.dailyUsage),
    ...quoteRows(write, forms),
    text_forms: textFormRows(forms),
    ...rowsOf(payments, changed.payments),
    ...rowsOf(setAside, changed.setAside),
    ...rowsOf(reversals, changed.reversals),
    ...rowsOf(topUpReversals, changed.topUpReversals),
    ...rowsOf(links, changed.links, linkColumns),
    ...rowsOf(ledger, changed.ledger, (entry) => entryColumns(after, entry)),
    ...rowsOf(events, changed.events)
  }
}

export const writtenRows = (write: WriteContext): RowSet =>
  omitEmpty({
    ...rowsOver(write, "accounts", accounts, writtenAccounts(write)),
    ...promoRows(write),
    ...welcomeRows(write),
    offer: offerRows(write),
    registers: registerRows(write),
    ...orderRows(write),
    webhooks: webhookRows(write),
    seen: unchangedVersions(write)
  })
