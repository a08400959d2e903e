// Compares the books with the model: wallets, ledgers, quotes, orders, reservations, daily usage.
import { deepStrictEqual, ok } from "node:assert"
import { HashMap } from "effect"
import { dailyUsageOf } from "#core/decisions/Books.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { KeyId, OrderId } from "#core/domain/shared/Ids.ts"
import { eventsOf, known, movements } from "../BookReads.ts"
import { HOUR_MS } from "../Given.ts"
import { dayOf, type ModelQuote } from "./Model.ts"
import type { ModelRun } from "./ModelRun.ts"
import { accounts, articles, keys, opening, promos, START } from "./ModelShop.ts"
import { compareSessions } from "./SessionCommands.ts"

const wallets = ({ books, model }: ModelRun): void => {
  for (const accountId of accounts) {
    const { wallet, owedCents = 0, agentsStoppedAtMs } = known(books.accounts, accountId)
    deepStrictEqual([accountId, owedCents], [accountId, model.owed.get(accountId) ?? 0])
    deepStrictEqual([accountId, agentsStoppedAtMs !== undefined], [accountId, model.stopped.has(accountId)])
    deepStrictEqual(
      [accountId, wallet.balanceCents, wallet.heldCents],
      [accountId, model.balance(accountId), model.held(accountId)]
    )
    deepStrictEqual(movements(books, accountId), model.ledger.get(accountId) ?? [])
  }
}

const fromBooks = (quote: Quote) => [
  quote.accountId,
  quote.keyId,
  quote.mode,
  quote.status,
  quote.abandonedBy,
  quote.grossCents,
  quote.discount.amountCents,
  quote.totalCents,
  quote.creditCents,
  quote.cardCents,
  quote.creditedCents,
  quote.orderId,
  quote.expiresAtMs,
  quote.declinedReason
]

const fromModel = (quote: ModelQuote) => [
  quote.account,
  quote.key,
  quote.mode,
  quote.status,
  quote.by,
  quote.gross,
  quote.discount,
  quote.total,
  quote.credit,
  quote.card,
  quote.credited,
  quote.orderId,
  quote.endsAt,
  quote.declined
]

const quotes = ({ books, model }: ModelRun): void => {
  deepStrictEqual(HashMap.size(books.quotes), model.quotes.length)
  for (const quote of model.quotes) deepStrictEqual(fromBooks(known(books.quotes, quote.id)), fromModel(quote))
}

/** One event for each published link, one when the last link is cancelled. */
const expectedEvents = ({ links }: ModelQuote): ReadonlyArray<string> => [
  ...links.filter(({ announced }) => announced).map(() => "order.published"),
  ...(links.every(({ status }) => status === "cancelled") ? ["order.cancelled"] : [])
]

const orders = ({ books, model }: ModelRun): void => {
  const paid = model.quotes.filter(({ status }) => status === "paid")
  deepStrictEqual(HashMap.size(books.orders), paid.length)
  deepStrictEqual(
    HashMap.size(books.links),
    paid.reduce((all, { links }) => all + links.length, 0)
  )
  for (const quote of paid) {
    const order = known(books.orders, quote.orderId ?? OrderId.make(""))
    deepStrictEqual([order.quoteId, order.linkIds, order.totalCents], [quote.id, quote.linkIds, quote.total])
    const links = order.linkIds.map((linkId) => known(books.links, linkId))
    deepStrictEqual(
      links.map(({ status, netCents: net, articleId: article, targetUrl: target }) => ({
        status,
        net,
        article,
        target
      })),
      quote.links.map(({ status, net, article, target }) => ({ status, net, article, target }))
    )
    deepStrictEqual(eventsOf(books, order.orderId), expectedEvents(quote))
  }
}

const reservations = ({ books, model }: ModelRun): void => {
  const standing = articles.map(({ id }) => {
    const { sale } = known(books.articles, id)
    const lapsed = sale.state === "free" || (sale.state === "reserved" && sale.untilMs <= model.now)
    return [id, lapsed ? "free" : `${sale.state} ${sale.quoteId}`]
  })
  deepStrictEqual(standing, model.articleStates())
  for (const { code } of promos) {
    const { redeemed, reservations } = known(books.promos, code)
    const open = reservations.filter(({ untilMs }) => untilMs > model.now).map(({ quoteId }) => quoteId)
    const users = model.usersOf(code)
    deepStrictEqual([code, redeemed], [code, users.filter(({ status }) => status === "paid").length])
    deepStrictEqual(new Set(open), new Set(users.filter(({ status }) => status !== "paid").map(({ id }) => id)))
  }
  for (const accountId of accounts) {
    const { welcome } = known(books.accounts, accountId)
    const lapsed = welcome.state === "available" || (welcome.state === "reserved" && welcome.untilMs <= model.now)
    const holder = model.welcomeHolder(accountId)
    deepStrictEqual(
      lapsed ? null : [welcome.state === "spent", welcome.quoteId],
      holder === undefined ? null : [holder.status === "paid", holder.id]
    )
  }
}

const dailyUsage = ({ books, model }: ModelRun): void => {
  for (let atMs = START; dayOf(atMs) <= dayOf(model.now); atMs += 24 * HOUR_MS) {
    for (const { id } of keys) {
      const { quotes, spentCents } = dailyUsageOf(books, KeyId.make(id), utcDay(atMs))
      deepStrictEqual({ quotes, spent: spentCents }, model.day(id, dayOf(atMs)))
    }
  }
}

/** Throws if books and model differ. */
export const compareBooks = (run: ModelRun): void => {
  wallets(run)
  quotes(run)
  orders(run)
  reservations(run)
  dailyUsage(run)
  compareSessions(run)
  ok(run.books.sites === opening.sites && run.books.projects === opening.projects, "the catalogue changed")
}
