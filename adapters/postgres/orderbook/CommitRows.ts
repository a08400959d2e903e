// The rows that a decision writes, under the names that the SQL function `commit_changes` gives them: new rows apart from changed ones,
// versioned rows with the version that they replace, and rows that every order has as lists of values.
import { HashMap } from "effect"
import { type Books, bindingId, find, linksOf } from "#core/decisions/Books.ts"
import { emailKey } from "#core/domain/Account.ts"
import { type Order, orderStatus } from "#core/domain/Order.ts"
import { isOpen, type Quote } from "#core/domain/Quote.ts"
import {
  accountColumns,
  accountStates,
  accountWrites,
  audit,
  dailyUsage,
  keyRow,
  members,
  topUps
} from "../rows/AccountRows.ts"
import {
  bindingColumns,
  events,
  indexedLinks,
  ledgerRowsOf,
  linkColumns,
  payments,
  reversals,
  setAside
} from "../rows/OrderRows.ts"
import { wholeQuotes } from "../rows/QuoteRows.ts"
import { type AnswerForms, answerFormRows, storedAnswer } from "../rows/StoredAnswer.ts"
import { catalogueRows, promoRows, unchangedVersions, welcomeConflictKeys, welcomeRows } from "./CatalogueWrites.ts"
import type { PromoUse } from "./ChangedRows.ts"
import type { Commit } from "./Commits.ts"
import { webhookRows, writtenSubscriptions } from "./WebhookWrites.ts"
import {
  existedBefore,
  omitEmpty,
  type RowSet,
  rowsFor,
  splitNewAndChanged,
  versionedRows,
  type WriteContext,
  withVersion
} from "./WriteContext.ts"

/** New accounts, and all that were loaded, changed or not: an account's version guards all its rows. */
const writtenAccounts = (write: WriteContext): ReadonlyArray<string> =>
  Array.from(HashMap.keys(write.after.accounts)).filter(
    (id) => write.loaded.versions.accounts.has(id) || !existedBefore(write, (books) => books.accounts, id)
  )

const accountRows = (write: WriteContext): RowSet => {
  const { loaded, after } = write
  const rows = versionedRows(write, after.accounts, loaded.versions.accounts, writtenAccounts(write), accountColumns)
  return { accounts: rows.map(accountWrites.values) }
}

const keyAndAuditRows = (write: WriteContext): RowSet => {
  const { after, changed } = write
  const readdressed = Array.from(changed.emails).filter((id) => existedBefore(write, (books) => books.accounts, id))
  const keys = splitNewAndChanged(write, (books) => books.keys, changed.keys)
  const rows = omitEmpty({
    emails: rowsFor(after.accounts, readdressed).map(({ accountId, email }) => ({ account_id: accountId, email })),
    account_states: rowsFor(after.accounts, changed.accountStates).map(accountStates.row),
    members: rowsFor(after.members, changed.members).map(members.row),
    top_ups: rowsFor(after.topUps, changed.topUps).map(topUps.row),
    new_keys: keys.fresh.map(keyRow),
    keys: keys.changed.map(keyRow),
    audit: changed.audit.map(audit.row)
  })
  return withVersion(rows, write.version)
}

const HOLD_STATES = {
  awaiting_approval: "open",
  awaiting_payment: "open",
  paid: "captured",
  abandoned: "released"
} as const

/** The code that the quote uses: reserved while it is open, spent by its order. */
const promoCodeOf = ({ mode, discount }: Quote): string | null =>
  mode === "live" && discount.source === "promo" ? (discount.code ?? null) : null

/** Whether the quote's row says that it reserves the code, has spent it, or does not reserve it any more. */
const hasUse = (quote: Quote, { code, isReleased, untilMs }: PromoUse): boolean => {
  if (promoCodeOf(quote) !== code) return false
  return isReleased || untilMs !== null ? isOpen(quote) !== isReleased : quote.status === "paid"
}

/**
 * Holds, bindings and uses of codes are stored as columns of their quote: one that did not follow from its quote would be lost, which is a
 * defect.
 */
const checkQuoteColumns = ({ after, changed }: WriteContext): void => {
  for (const { quoteId, holdId, accountId, cents, state } of rowsFor(after.holds, changed.holds)) {
    const quote = find(after.quotes, quoteId)
    const fits =
      quote?.holdId === holdId &&
      quote.accountId === accountId &&
      quote.creditCents === cents &&
      HOLD_STATES[quote.status] === state
    if (!fits) throw new Error(`hold ${holdId} is ${state} and does not follow from quote ${quoteId}`)
  }
  for (const { quoteId, keyId, idempotencyKey } of rowsFor(after.bindings, changed.bindings)) {
    const quote = find(after.quotes, quoteId)
    if (quote?.keyId !== keyId || quote.idempotencyKey !== idempotencyKey)
      throw new Error(`a second idempotency key is bound to quote ${quoteId}`)
  }
  for (const use of changed.promoUses.values()) {
    const quote = find(after.quotes, use.quoteId)
    if (quote === undefined || !hasUse(quote, use))
      throw new Error(`a use of code ${use.code} does not follow from quote ${use.quoteId}`)
  }
}

const statusOf = (books: Books, order: Order) => orderStatus(linksOf(books, order))

/** A quote's row, with what was changed of its binding and its order. Its hold and its use of a code follow from the quote itself. */
const wholeQuote = ({ after, changed }: WriteContext, quote: Quote) => {
  const { keyId, idempotencyKey, orderId } = quote
  const boundBy = idempotencyKey === null ? "" : bindingId(keyId, idempotencyKey)
  const binding = changed.bindings.has(boundBy) ? find(after.bindings, boundBy) : undefined
  const order = orderId !== null && changed.orders.has(orderId) ? find(after.orders, orderId) : undefined
  return {
    ...quote,
    promoCode: promoCodeOf(quote),
    ...(binding === undefined ? {} : bindingColumns(binding)),
    ...(order === undefined ? {} : { orderedAtMs: order.createdAtMs, orderStatus: statusOf(after, order) })
  }
}

/**
 * The row of a new quote. The lines of an order are those of its links, and an answer without warnings, which name much that is the
 * client's, has one of few forms.
 */
const newQuote = (write: WriteContext, quote: Quote, forms: AnswerForms) => {
  const row = wholeQuote(write, quote)
  const body = "answerBody" in row ? row.answerBody : null
  return wholeQuotes.values({
    ...row,
    ...(quote.orderId === null ? {} : { lines: [] }),
    ...(body === null || quote.warnings.length > 0 ? {} : { answerBody: storedAnswer(body, quote.quoteId, forms) })
  })
}

const orderRows = (write: WriteContext): RowSet => {
  const { after, changed } = write
  const forms: AnswerForms = new Map()
  checkQuoteColumns(write)
  const boundQuotes = rowsFor(after.bindings, changed.bindings).map(({ quoteId }) => quoteId)
  const quoted = splitNewAndChanged(write, (books) => books.quotes, new Set([...changed.quotes, ...boundQuotes]))
  const linked = splitNewAndChanged(write, (books) => books.links, changed.links)
  const movedOrders = new Set(linked.changed.map(({ orderId }) => orderId))
  return {
    tallies: rowsFor(after.dailyUsage, changed.dailyUsage).map(dailyUsage.values),
    new_quotes: quoted.fresh.map((quote) => newQuote(write, quote, forms)),
    answer_forms: answerFormRows(forms),
    new_links: linked.fresh.map((link) => indexedLinks.values(linkColumns(link))),
    progress: omitEmpty({
      quotes: quoted.changed.map((quote) => wholeQuotes.row(wholeQuote(write, quote))),
      orders: rowsFor(after.orders, movedOrders).map((order) => ({
        order_id: order.orderId,
        status: statusOf(after, order)
      })),
      links: linked.changed.map((link) => indexedLinks.row(linkColumns(link))),
      payments: changed.payments.map(payments.row),
      set_aside: rowsFor(after.setAside, changed.setAside).map(setAside.row),
      reversals: rowsFor(after.reversals, changed.reversals).map(reversals.row)
    }),
    ledger: ledgerRowsOf(changed.ledger),
    events: changed.events.map(events.values)
  }
}

const writtenRows = (write: WriteContext): RowSet =>
  omitEmpty({
    ...accountRows(write),
    ...promoRows(write),
    ...welcomeRows(write),
    offer: catalogueRows(write),
    registers: keyAndAuditRows(write),
    ...orderRows(write),
    webhooks: webhookRows(write),
    seen: unchangedVersions(write)
  })

const named = (table: string, ids: Iterable<string | number>): ReadonlyArray<string> =>
  Array.from(ids, (id) => `${table} ${id}`)

/** The rows that are written over a version, and the addresses that only one account may have. */
const conflictKeysOf = (write: WriteContext): ReadonlyArray<string> => {
  const { after, changed } = write
  return [
    ...named("account", writtenAccounts(write)),
    ...named(
      "e-mail",
      rowsFor(after.accounts, changed.emails).map(({ email }) => emailKey(email))
    ),
    ...named(
      "e-mail",
      rowsFor(after.members, changed.members).map(({ email }) => emailKey(email))
    ),
    ...welcomeConflictKeys(write),
    ...named("promo", changed.redefinedPromos),
    ...named("site", changed.sites),
    ...named("article", changed.articles),
    ...named("project", changed.projects),
    ...named("opportunity", changed.opportunities),
    ...named("shop", changed.shop ? [""] : []),
    ...named("subscription", writtenSubscriptions(write)),
    ...named("endpoint", changed.endpoints),
    ...named("delivery", changed.deliveries)
  ]
}

export const commitOf = (write: WriteContext): Commit => ({
  rows: writtenRows(write),
  conflictKeys: conflictKeysOf(write)
})
