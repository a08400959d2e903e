// Credit: the balance, a graph of it, and the ledger as a table and as CSV.

import { Effect } from "effect"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { EntryId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import { CheckBalance } from "#core/usecases/wallet/CheckBalance.ts"
import { balanceGraph } from "../BalanceGraph.ts"
import { placeIn } from "../FormSchemas.ts"
import { ledgerCsv } from "../OrdersCsv.ts"
import { type Handlers, page, show } from "../PageRoutes.ts"
import { movementText, signedEur } from "../Wording.ts"

export const creditRoutes = {
  credit: page("viewer", "/account/credit"),
  creditCsv: page("viewer", "/account/credit.csv")
}

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

const entryRow = (entry: LedgerEntry): Html => html`<tr>
<th scope="row">${movementText[entry.kind]}</th>
<td data-label="When">${instant(entry.atMs)}</td>
<td data-label="For">${about(entry)}</td>
<td data-label="Balance after">${formatEur(entry.balanceAfterCents)}</td>
<td class="money">${change(entry)}</td>
</tr>`

const ledgerTable = (entries: ReadonlyArray<LedgerEntry>): Html =>
  entries.length === 0
    ? html`<p class="empty">No movement yet. Once there is credit, agents can order without a payment for each order.</p>`
    : html`<table>
<thead><tr><th scope="col">What</th><th scope="col">When</th><th scope="col">For</th><th scope="col">Balance after</th><th scope="col" class="money">Change</th></tr></thead>
<tbody>${entries.map(entryRow)}</tbody>
</table>`

export const creditHandlers = Effect.gen(function* () {
  const balance = yield* CheckBalance

  const handlers: Handlers<typeof creditRoutes> = {
    credit: Effect.fnUntraced(function* ({ who: { account }, query }) {
      const owner = { accountId: account.accountId, mode: "live" as const }
      const beforeId = placeIn(query, EntryId)
      const limit = beforeId === null ? GRAPH_ENTRIES : PAGE_SIZE
      const { entries, nextBeforeId } = yield* balance.ledger(owner, { limit, beforeId })
      const shown = entries.slice(0, PAGE_SIZE)
      const next = entries.length > PAGE_SIZE ? (shown.at(-1)?.entryId ?? null) : nextBeforeId
      const { wallet } = account
      const figures = html`<ul class="cards">
<li class="card">Credit to spend<span class="figure">${formatEur(availableCents(wallet))}</span></li>
<li class="card">Held<span class="figure">${formatEur(wallet.heldCents)}</span><small>for quotes that wait for payment</small></li>
</ul>
<p><a href="/account/credit/top-ups">Top up</a></p>`
      return show(
        "Credit",
        "Credit",
        html`<h1>Credit</h1>
${figures}
${beforeId === null ? balanceGraph(entries) : nothing}
<h2>Movements</h2>
${ledgerTable(shown)}
<nav aria-label="Pages"><ul class="pages">
${beforeId === null ? nothing : html`<li><a href="/account/credit">Newest movements</a></li>`}
${next === null ? nothing : html`<li><a rel="next" href="/account/credit?before=${next}">Older movements</a></li>`}
<li><a href="/account/credit.csv" download>Download as CSV</a></li>
</ul></nav>`
      )
    }),
    creditCsv: ({ who: { account } }) => {
      const owner = { accountId: account.accountId, mode: "live" as const }
      return Effect.succeed({
        _tag: "File",
        name: "credit.csv",
        contentType: "text/csv; charset=utf-8",
        content: ledgerCsv((beforeId) => balance.ledger(owner, { limit: 200, beforeId }))
      })
    }
  }
  return handlers
})
