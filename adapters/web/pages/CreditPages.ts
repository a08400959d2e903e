// Credit: the balance, a graph of it, and the ledger as a table and as CSV.
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import { owedCentsOf } from "#core/domain/members/Account.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { EntryId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import { CheckBalance } from "#core/usecases/wallet/CheckBalance.ts"
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

const about = ({ orderId, quoteId }: LedgerEntry): Html => {
  if (orderId !== null) return html`<a href="/account/orders/${orderId}">${orderId}</a>`
  return quoteId === null ? html`–` : html`<a href="/account/quotes/${quoteId}">${quoteId}</a>`
}

const change = ({ kind, amountCents, balanceDeltaCents }: LedgerEntry): string =>
  kind === "hold" || kind === "release"
    ? `${formatEur(amountCents)} ${kind === "hold" ? "held" : "freed"}`
    : signedEur(balanceDeltaCents)

const columns: ReadonlyArray<Column<LedgerEntry>> = [
  named("What", ({ kind }) => movementText[kind]),
  column("When", ({ atMs }) => instant(atMs)),
  column("For", about),
  column("Balance after", ({ balanceAfterCents }) => formatEur(balanceAfterCents)),
  money("Change", change)
]

const NO_MOVEMENT = "No movement yet. Once there is credit, agents can order without a payment for each order."

const creditPage = page("viewer", PATH, { section: "Credit" }, function* ({ who: { account }, query }) {
  const at = placeIn(query, EntryId)
  const limit = at === null ? GRAPH_ENTRIES : PAGE_SIZE
  const { entries, nextBeforeId } = yield* (yield* CheckBalance).ledger(liveOf(account), { limit, beforeId: at })
  const shown = entries.slice(0, PAGE_SIZE)
  const next = entries.length > PAGE_SIZE ? (shown.at(-1)?.entryId ?? null) : nextBeforeId
  const { wallet } = account
  const owed = owedCentsOf(account)
  return html`${figures([
    ...(owed === 0 ? [] : ([["You owe", formatEur(owed), "the next credit pays it"]] as const)),
    ["Credit to spend", formatEur(availableCents(wallet))],
    ["Held", formatEur(wallet.heldCents), "for quotes that wait for payment"]
  ])}
<p><a class="btn main" href="/account/credit/top-ups">Top up</a></p>
${at === null ? balanceGraph(entries) : nothing}
<h2>Movements</h2>
${table(columns, shown, NO_MOVEMENT)}
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
    return ledgerCsv((beforeId) => ledger(liveOf(account), { limit: 200, beforeId }))
  })
]
