// The balance over its last movements, as an SVG that is drawn on the server.
import { dayOf, type Html, html, nothing } from "#adapters/html/Html.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"

const WIDTH = 600
const HEIGHT = 120
const MARGIN = 6

/** Steps: a balance stays as it is until the next movement. `points` are from oldest to newest. */
export const stepPoints = (balances: ReadonlyArray<number>): ReadonlyArray<readonly [x: number, y: number]> => {
  const highest = Math.max(1, ...balances)
  const x = (index: number) => MARGIN + Math.round((index * (WIDTH - 2 * MARGIN)) / balances.length)
  const y = (cents: number) => HEIGHT - MARGIN - Math.round((cents * (HEIGHT - 2 * MARGIN)) / highest)
  return balances.flatMap((cents, index) => [[x(index), y(cents)] as const, [x(index + 1), y(cents)] as const])
}

/** `entries` are newest first. Nothing is drawn of fewer than two, or of a single day. */
export const balanceGraph = (entries: ReadonlyArray<LedgerEntry>): Html => {
  const oldestFirst = entries.toReversed()
  const [oldest] = oldestFirst
  const newest = oldestFirst.at(-1)
  if (oldest === undefined || newest === undefined || newest.atMs - oldest.atMs < DAY_MS) return nothing
  const balances = oldestFirst.map(({ balanceAfterCents }) => balanceAfterCents)
  const points = stepPoints(balances)
    .map((point) => point.join(","))
    .join(" ")
  const [first, last] = [formatEur(oldest.balanceAfterCents), formatEur(newest.balanceAfterCents)]
  const most = formatEur(Math.max(...balances))
  const says = `Balance over the last ${entries.length} movements: from ${first} to ${last}, ${most} at its highest.`
  return html`<figure>
<svg class="graph" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${says}">
<line x1="${MARGIN}" y1="${HEIGHT - MARGIN}" x2="${WIDTH - MARGIN}" y2="${HEIGHT - MARGIN}"></line>
<polyline points="${points}"></polyline>
</svg>
<figcaption><small>Your balance was ${first} on ${dayOf(oldest.atMs)} and ${last} on ${dayOf(newest.atMs)}; at its highest, it was ${most}.</small></figcaption>
</figure>`
}
