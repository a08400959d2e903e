// The rows that a decision writes, under the names that the SQL function `commit_changes` gives them: new rows apart from changed ones,
// versioned rows with the version that they replace, and rows that every order has as lists of values.
import { HashMap } from "effect"
import { type Books, bindingId, find, linksOf } from "#core/decisions/Books.ts"
import { type ChangedRow, differsIn, laterRows, newRows, replacedRows } from "#core/decisions/Difference.ts"
import { type Account, emailKey } from "#core/domain/members/Account.ts"
import { type Order, orderStatus } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { accountStates, accountWrites, audit, dailyUsage, keys, members, topUps } from "../rows/AccountRows.ts"
import { events, ledger, linkColumns, links, payments, reversals, setAside } from "../rows/OrderRows.ts"
import { quotes } from "../rows/QuoteRows.ts"
import { isOfFewForms, storedText, type TextForms, textFormRows } from "../rows/StoredText.ts"
import { type Commit, omitEmpty, type RowSet, withVersion } from "./Commits.ts"
import {
  guardedKeys,
  offerRows,
  promoCodeOf,
  promoRows,
  takesWelcome,
  unchangedVersions,
  webhookRows,
  welcomeRows
} from "./GuardedRows.ts"
import type { WriteContext } from "./LoadedBooks.ts"

/** New accounts, and all that were loaded, changed or not: an account's version guards all its rows. */
const writtenAccounts = ({ loaded, after }: WriteContext): ReadonlyArray<Account> =>
  Array.from(HashMap.values(after.accounts)).filter(
    ({ accountId }) => loaded.versions.accounts.has(accountId) || !HashMap.has(loaded.books.accounts, accountId)
  )

const accountRows = (write: WriteContext): RowSet => {
  const { loaded, version } = write
  const rows = writtenAccounts(write).map((account) => {
    const previous = loaded.versions.accounts.get(account.accountId) ?? null
    return accountWrites.values({ ...account, version, previous })
  })
  return { accounts: rows }
}

const STATE = ["name", "selfOpened", "paidAtMs", "agentsStoppedAtMs", "closedAtMs", "note"] as const

const registerRows = ({ changed, version }: WriteContext): RowSet => {
  const readdressed = replacedRows(changed.accounts.filter((row) => differsIn(row, ["email"])))
  const rows = omitEmpty({
    emails: readdressed.map(({ accountId, email }) => ({ account_id: accountId, email })),
    account_states: laterRows(changed.accounts.filter((row) => differsIn(row, STATE))).map(accountStates.row),
    members: laterRows(changed.members).map(members.row),
    top_ups: laterRows(changed.topUps).map(topUps.row),
    new_keys: newRows(changed.keys).map(keys.row),
    keys: replacedRows(changed.keys).map(keys.row),
    audit: newRows(changed.audit).map(audit.row)
  })
  return withVersion(rows, version)
}

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

const statusOf = (books: Books, order: Order) => orderStatus(linksOf(books, order))

/** A quote's row, with what was changed of its binding and its order. Its hold and its use of a code follow from the quote itself. */
const wholeQuote = ({ loaded, after }: WriteContext, quote: Quote) => {
  const { keyId, idempotencyKey, orderId } = quote
  const boundBy = idempotencyKey === null ? "" : bindingId(keyId, idempotencyKey)
  const binding = find(after.bindings, boundBy)
  const order = orderId === null ? undefined : find(after.orders, orderId)
  const isBound = binding !== find(loaded.books.bindings, boundBy)
  const isOrdered = order !== undefined && find(loaded.books.orders, order.orderId) === undefined
  return {
    ...quote,
    promoCode: promoCodeOf(quote),
    takesWelcome: takesWelcome(quote) ? true : null,
    fingerprint: isBound && binding !== undefined ? binding.fingerprint : null,
    answerStatus: isBound ? binding?.response?.status : null,
    answerBody: isBound ? binding?.response?.body : null,
    orderedAtMs: isOrdered ? order.createdAtMs : null,
    orderStatus: isOrdered ? statusOf(after, order) : null
  }
}

/**
 * The row of a new quote. The lines of an order are those of its links. Its answer has one of few forms, unless the discount names a domain,
 * or there are warnings, which name much that is the client's.
 */
const newQuote = (write: WriteContext, quote: Quote, forms: TextForms) => {
  const row = wholeQuote(write, quote)
  const { quoteId, orderId, lines, warnings } = quote
  const { answerBody } = row
  const hasForm = warnings.length === 0 && isOfFewForms(quote.discount)
  return quotes.values({
    ...row,
    lines: orderId === null ? lines : [],
    discount: JSON.stringify(quote.discount),
    answerBody: answerBody != null && hasForm ? storedText(answerBody, quoteId, forms) : answerBody
  })
}

/** Quotes that changed, or of which the binding did, which is in the same row. */
const changedQuotes = ({ loaded, after, changed }: WriteContext): ReadonlyArray<ChangedRow<Quote>> => {
  const bound = changed.bindings.flatMap(({ after: { quoteId } }) => {
    const before = find(loaded.books.quotes, quoteId)
    return before !== undefined && find(after.quotes, quoteId) === before ? [{ before, after: before }] : []
  })
  return [...changed.quotes, ...bound]
}

/** The new entries in their order, each with the hold that it begins or ends, which is that of its quote. */
const newEntries = ({ after, changed }: WriteContext) =>
  newRows(changed.ledger)
    .map((entry) => {
      const quote = entry.heldDeltaCents === 0 ? undefined : find(after.quotes, entry.quoteId)
      return { ...entry, holdId: quote?.holdId ?? null }
    })
    .sort((a, b) => (a.entryId < b.entryId ? -1 : 1))

const orderRows = (write: WriteContext): RowSet => {
  const { after, changed } = write
  const forms: TextForms = new Map()
  checkQuoteColumns(write)
  const quoted = changedQuotes(write)
  const moved = replacedRows(changed.links)
  const movedOrders = new Set(moved.map(({ orderId }) => orderId))
  return {
    tallies: laterRows(changed.dailyUsage).map(dailyUsage.values),
    placed_quotes: newRows(quoted).map((quote) => newQuote(write, quote, forms)),
    text_forms: textFormRows(forms),
    new_links: newRows(changed.links).map((link) => links.values(linkColumns(link))),
    progress: omitEmpty({
      quotes: replacedRows(quoted).map((quote) => quotes.row(wholeQuote(write, quote))),
      orders: Array.from(movedOrders, (orderId) => find(after.orders, orderId)).flatMap((order) =>
        order === undefined ? [] : [{ order_id: order.orderId, status: statusOf(after, order) }]
      ),
      links: moved.map((link) => links.row(linkColumns(link))),
      payments: newRows(changed.payments).map(payments.row),
      set_aside: laterRows(changed.setAside).map(setAside.row),
      reversals: laterRows(changed.reversals).map(reversals.row)
    }),
    ledger: newEntries(write).map(ledger.values),
    events: newRows(changed.events).map((event) => events.values(event))
  }
}

export const writtenRows = (write: WriteContext): RowSet =>
  omitEmpty({
    ...accountRows(write),
    ...promoRows(write),
    ...welcomeRows(write),
    offer: offerRows(write),
    registers: registerRows(write),
    ...orderRows(write),
    webhooks: webhookRows(write),
    seen: unchangedVersions(write)
  })

/** The rows that are written over a version, and the addresses that only one account may have. */
const conflictKeysOf = (write: WriteContext): ReadonlyArray<string> => {
  const { changed } = write
  const readdressed = [...changed.accounts, ...changed.members].filter(
    ({ before, after }) => before?.email !== after.email
  )
  return [
    ...writtenAccounts(write).map(({ accountId }) => `account ${accountId}`),
    ...readdressed.map(({ after }) => `e-mail ${emailKey(after.email)}`),
    ...guardedKeys(write)
  ]
}

export const commitOf = (write: WriteContext): Commit => ({
  rows: writtenRows(write),
  conflictKeys: conflictKeysOf(write)
})
