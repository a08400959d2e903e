// Credit: the balance, a graph of it, and the ledger as a table and as CSV.
import { Effect } from "effect"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { owedCentsOf } from "#core/domain/members/Account.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { type AccountId, EntryId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { CheckBalance } from "#core/usecases/wallet/CheckBalance.ts"
import { linksText, type People, peopleOf, placerIn, shortPlacerIn, smallLines, targetsOf } from "../agents/Placers.ts"
import { balanceGraph } from "../BalanceGraph.ts"
import { placeIn } from "../form/FieldSchemas.ts"
import { ledgerCsv } from "../ListsAsCsv.ts"
import { download, liveOf, page } from "../Page.ts"
import { type Column, column, figures, money, named, pageLinks, table } from "../Tables.ts"
import { movementText, signedEur } from "../Wording.ts"

const PATH = "/account/credit"

const PAGE_SIZE = 20

/** Points of the graph. */
const GRAPH_ENTRIES = 100

/** A movement, and the purchase that it is for. */
interface Movement {
  readonly entry: LedgerEntry
  readonly quote: Quote | undefined
}

/** The purchases that the entries are for. */
const explained = Effect.fnUntraced(function* (accountId: AccountId, entries: ReadonlyArray<LedgerEntry>) {
  const ids = entries.flatMap(({ quoteId }) => quoteId ?? [])
  const named = yield* (yield* ViewAccount).quotesNamed(accountId, ids)
  const byId = new Map(named.map((quote) => [quote.quoteId, quote] as const))
  return entries.map(
    (entry): Movement => ({ entry, quote: entry.quoteId === null ? undefined : byId.get(entry.quoteId) })
  )
})

/** Who bought what by it; the ids are below. */
const headline = ({ entry, quote }: Movement, people: People): Html => {
  const { kind, orderId, quoteId, reference } = entry
  const what = movementText[kind]
  const id = orderId ?? quoteId ?? undefined
  if (quote === undefined) return html`${what}${smallLines([reference ?? null], id)}`
  const path = orderId === null ? `/account/quotes/${quote.quoteId}` : `/account/orders/${orderId}`
  const who = `${isolated(shortPlacerIn(people, quote))}: ${linksText(targetsOf(quote))}`
  return html`<a href="${path}">${who}</a>${smallLines([what], id)}`
}

const change = ({ kind, amountCents, balanceDeltaCents }: LedgerEntry): string =>
  kind === "hold" || kind === "release"
    ? `${formatEur(amountCents)} ${kind === "hold" ? "held" : "freed"}`
    : signedEur(balanceDeltaCents)

const columns = (people: People): ReadonlyArray<Column<Movement>> => [
  named("What", (movement) => headline(movement, people)),
  column("When", ({ entry }) => instant(entry.atMs)),
  column("Balance after", ({ entry }) => formatEur(entry.balanceAfterCents)),
  money("Change", ({ entry }) => change(entry))
]

const NO_MOVEMENT = "No movement yet. Once there is credit, agents can order without a payment for each order."

const creditPage = page("viewer", PATH, { section: "Credit" }, function* ({ who: { account }, query }) {
  const at = placeIn(query, EntryId)
  const limit = at === null ? GRAPH_ENTRIES : PAGE_SIZE
  const { entries, nextBeforeId } = yield* (yield* CheckBalance).ledger(liveOf(account), { limit, beforeId: at })
  const shown = entries.slice(0, PAGE_SIZE)
  const next = entries.length > PAGE_SIZE ? (shown.at(-1)?.entryId ?? null) : nextBeforeId
  const { wallet } = account
  const people = yield* peopleOf(account.accountId)
  const owed = owedCentsOf(account)
  return html`${figures([
    ...(owed === 0 ? [] : ([["You owe", formatEur(owed), "the next credit pays it"]] as const)),
    ["Credit to spend", formatEur(availableCents(wallet))],
    ["Held", formatEur(wallet.heldCents), "for quotes that wait for approval or payment"]
  ])}
<p><a class="btn main" href="/account/credit/top-ups">Top up</a></p>
${at === null ? balanceGraph(entries) : nothing}
<h2>Movements</h2>
${table(columns(people), yield* explained(account.accountId, shown), NO_MOVEMENT)}
${pageLinks(
  { path: PATH, at, next },
  { first: "Newest movements", next: "Older movements" },
  { more: [html`<a href="/account/credit.csv" download>Download as CSV</a>`] }
)}`
})

export const creditPages = [
  creditPage,
  download("viewer", "/account/credit.csv", function* ({ who: { account } }) {
    const { ledger } = yield* CheckBalance
    const { accountId } = account
    const people = yield* peopleOf(accountId)
    const context = yield* Effect.context<ViewAccount>()
    return ledgerCsv((beforeId) =>
      Effect.flatMap(ledger(liveOf(account), { limit: 200, beforeId }), ({ entries, nextBeforeId }) =>
        Effect.map(Effect.provideContext(explained(accountId, entries), context), (movements) => ({
          nextBeforeId,
          entries: movements.map(({ entry, quote }) => ({
            entry,
            by: quote === undefined ? null : placerIn(people, quote),
            targetDomains: quote === undefined ? [] : [...new Set(quote.lines.map(({ item }) => targetHost(item)))]
          }))
        }))
      )
    )
  })
]
