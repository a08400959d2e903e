// Credit: the balance, what waits with money behind it, totals of a period, and the ledger as a table and as CSV.
import { Effect } from "effect"
import { html, nothing } from "#adapters/html/Html.ts"
import { owedCentsOf } from "#core/domain/members/Account.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { EntryId } from "#core/domain/shared/Ids.ts"
import { availableCents, type Wallet } from "#core/domain/wallet/Wallet.ts"
import type { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { CheckBalance } from "#core/usecases/wallet/CheckBalance.ts"
import { ViewCredit } from "#core/usecases/wallet/ViewCredit.ts"
import { peopleOf, placerIn } from "../agents/Placers.ts"
import { placeIn } from "../form/FieldSchemas.ts"
import { ledgerCsv } from "../ListsAsCsv.ts"
import { ledgerTable, purchasesOf } from "../money/LedgerTable.ts"
import { PERIOD_FIELDS, periodTotals } from "../money/PeriodTotals.ts"
import { heldForText, waitingMoney } from "../money/WaitingMoney.ts"
import { download, liveOf, page, titled } from "../Page.ts"
import { figures, pageLinks } from "../Tables.ts"

const PATH = "/account/credit"

const PAGE_SIZE = 10

/** The movements end at the balance. */
const balanceNote = (wallet: Wallet): string =>
  `${formatEur(availableCents(wallet))} to spend and ${formatEur(wallet.heldCents)} held`

const creditPage = page("viewer", PATH, { section: "Credit" }, function* ({ who, query }) {
  const { account } = who
  const at = placeIn(query, EntryId)
  const { accountId, wallet } = account
  const { waiting, lines, nextBeforeId } = yield* (yield* ViewCredit).page({
    accountId,
    limit: PAGE_SIZE,
    beforeId: at
  })
  const people = yield* peopleOf(accountId)
  const owed = owedCentsOf(account)
  const heldFor = waiting === null ? "" : heldForText(who, waiting.counts)
  const totals = waiting === null ? null : yield* periodTotals(who, people, { path: PATH, query })
  const filters = new URLSearchParams([...query].filter(([name]) => PERIOD_FIELDS.includes(name)))
  const body = html`${figures([
    ...(owed === 0 ? [] : ([["You owe", formatEur(owed), "the next credit pays it"]] as const)),
    ["Credit to spend", formatEur(availableCents(wallet))],
    ["Held", formatEur(wallet.heldCents), heldFor === "" ? "for unpaid orders" : heldFor],
    ...(wallet.heldCents === 0 ? [] : ([["Balance", formatEur(wallet.balanceCents), balanceNote(wallet)]] as const))
  ])}
<p><a class="btn main" href="/account/credit/top-ups">Top up</a></p>
${waiting === null ? nothing : html`${yield* waitingMoney(who, people, waiting)}\n${totals?.shown ?? nothing}`}
<h2>Movements</h2>
<p class="hint">What changed your credit, the newest first. Card payments for orders are not among them: they are in the totals and under <a href="/account/invoices">Invoices</a>.</p>
${yield* ledgerTable(accountId, lines, people)}
${pageLinks(
  { path: PATH, filters, at, next: nextBeforeId },
  { first: "Newest movements", next: "Older movements" },
  { more: [html`<a href="/account/credit.csv" download>Download as CSV</a>`] }
)}`
  const refused = totals?.refused ?? null
  return titled("Credit", body, { status: refused === null ? 200 : 422, refused })
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
        Effect.map(Effect.provideContext(purchasesOf(accountId, entries), context), (quotes) => ({
          nextBeforeId,
          entries: entries.map((entry) => {
            const quote = quotes.get(entry.quoteId)
            return {
              entry,
              by: quote === undefined ? null : placerIn(people, quote),
              targetDomains: quote === undefined ? [] : [...new Set(quote.lines.map(({ item }) => targetHost(item)))]
            }
          })
        }))
      )
    )
  })
]
