// The limits of who asks, one by one, as they are now, the daily ones with what is used of them.
import { counted, separated } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { Agent } from "#core/usecases/members/ViewAgents.ts"

/** "20.00 EUR spent today, 60.00 EUR waiting, 20.00 EUR left". */
const dayText = ({ spentCents, report: { reservedTodayCents } }: Agent, maxDayCents: number | null): string =>
  [
    `${formatEur(Math.max(0, spentCents - reservedTodayCents))} spent today`,
    ...(reservedTodayCents === 0 ? [] : [`${formatEur(reservedTodayCents)} waiting`]),
    ...(maxDayCents === null ? [] : [`${formatEur(Math.max(0, maxDayCents - spentCents))} left`])
  ].join(", ")

const limitItems = (agent: Agent): ReadonlyArray<string> => {
  const { key, quotes, dailyOrderCap } = agent
  const { maxOrderCents, maxDayCents, allowedDomains, approveAboveCents, holdLookAlikes, alwaysAllow } = key.limits
  const asks = approveAboveCents !== null
  const ordersLeft = counted(Math.max(0, dailyOrderCap - quotes), "order")
  return [
    ...(asks
      ? [approveAboveCents === 0 ? "Asks before every order" : `Asks above ${formatEur(approveAboveCents)} an order`]
      : ["Asks at no amount"]),
    ...(asks
      ? alwaysAllow.map(
          ({ domain, upToCents }) => `Does not ask up to ${formatEur(upToCents)} for links to ${domain} alone`
        )
      : []),
    ...(holdLookAlikes ? ["Asks before repeating an order of the last 10 minutes"] : []),
    ...(maxOrderCents === null ? [] : [`At most ${formatEur(maxOrderCents)} an order`]),
    `${maxDayCents === null ? "No limit for the day" : `At most ${formatEur(maxDayCents)} a day`}: ${dayText(agent, maxDayCents)}`,
    ...(dailyOrderCap === 0
      ? []
      : [`At most ${counted(dailyOrderCap, "order")} a day: ${separated(quotes)} asked for today, ${ordersLeft} left`]),
    ...(allowedDomains === null ? [] : [`Links only to ${allowedDomains.join(", ")}`])
  ]
}

/** The order that asks is counted already. */
export const limitsNow = (asking: Agent | undefined): Html =>
  asking === undefined
    ? nothing
    : html`<div class="pad lined stack"><h2>Its limits now</h2>
<ul>${limitItems(asking).map((one) => html`<li>${one}</li>`)}</ul>
<p class="hint">This order is counted already. Daily limits reset at 00:00 UTC.</p></div>`
