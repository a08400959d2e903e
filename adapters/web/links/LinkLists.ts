// The links of the account, by whichever agent or member: those in work, those that are overdue, and those that went online lately.
import { Clock } from "effect"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { dueAtMs, isOverdue } from "#core/domain/ordering/DueDate.ts"
import { isOnline } from "#core/domain/ordering/Link.ts"
import { LINK_LISTS, type LinkList, type ListedPlace } from "#core/domain/ordering/LinkLists.ts"
import type { OrderedLink } from "#core/domain/ordering/Order.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { ViewLinks } from "#core/usecases/ordering/ViewLinks.ts"
import { domainsText, type People, peopleOf, referenceText, shortPlacerIn, smallLines } from "../agents/Placers.ts"
import { page } from "../Page.ts"
import { type Column, column, money, named, pageLinks, plainly, table } from "../Tables.ts"
import { linkStatusText, state } from "../Wording.ts"
import { LATELY, LINKS_PATH, listPath } from "./LinksCard.ts"

const PAGE_SIZE = 50

interface Choice {
  readonly says: string
  readonly none: string
}

const CHOICES: Readonly<Record<LinkList, Choice>> = {
  in_work: { says: "In work", none: "No link is being worked on. What you or your agents order appears here." },
  overdue: { says: "Overdue", none: "No link is overdue." },
  online: { says: `Online in the last ${LATELY}`, none: `No link went online in the last ${LATELY}.` }
}

const choices = (chosen: LinkList): Html => html`<nav aria-label="Which links"><ul class="pages">
${LINK_LISTS.map((list) => {
  const current = list === chosen ? html` aria-current="true"` : nothing
  return html`<li><a href="${listPath(list)}"${current}>${CHOICES[list].says}</a></li>\n`
})}</ul></nav>`

const dateOf = ({ link }: OrderedLink): Html | string => {
  if (isOnline(link.status)) return link.publishedAtMs === null ? "–" : instant(link.publishedAtMs)
  const due = dueAtMs(link)
  return due === null ? "–" : instant(due)
}

const stateOf = ({ link }: OrderedLink, list: LinkList, nowMs: Millis): Html => {
  if (list === "overdue") return state("overdue", "bad")
  const stage = state(linkStatusText[link.status], isOnline(link.status) ? "ok" : "info")
  return isOverdue(link, nowMs) ? html`${stage}<br>${state("overdue", "bad")}` : stage
}

const columns = (people: People, list: LinkList, nowMs: Millis): ReadonlyArray<Column<OrderedLink>> => [
  named("Link", ({ order, link }) => {
    const to = `to ${domainsText([link.targetUrl])}, ordered by ${isolated(shortPlacerIn(people, order))}`
    return html`<a href="/account/orders/${order.orderId}">“${isolated(link.anchorText)}” on ${link.domain}</a>${smallLines([to, referenceText(link)])}`
  }),
  plainly("State", (row) => stateOf(row, list, nowMs)),
  column(list === "online" ? "Online since" : "Due", dateOf),
  money("Price", ({ link }) => formatEur(link.netCents))
]

/** Where the page begins, by an address: "1764892800000.lnk_…". */
const placeOf = (text: string | null): ListedPlace | null => {
  const [, at, linkId] = /^(-?\d{1,16})\.(\w{1,80})$/.exec(text ?? "") ?? []
  return at === undefined || linkId === undefined ? null : { at: Number(at), linkId: LinkId.make(linkId) }
}

const linksPage = page("viewer", LINKS_PATH, { section: "Orders", title: "Links" }, function* ({ who, query }) {
  const { accountId } = who.account
  const list = LINK_LISTS.find((one) => one === query.get("list")) ?? "in_work"
  const at = query.get("after")
  const found = yield* (yield* ViewLinks).page({ accountId, list, limit: PAGE_SIZE, after: placeOf(at) })
  const { next } = found
  const filters = new URLSearchParams(list === "in_work" ? {} : { list })
  const place = { path: LINKS_PATH, filters, at, next: next === null ? null : `${next.at}.${next.linkId}` }
  return html`${choices(list)}
${table(columns(yield* peopleOf(accountId), list, yield* Clock.currentTimeMillis), found.links, CHOICES[list].none)}
${pageLinks(place, { first: "First links", next: "More links" }, { name: "after" })}`
})

export const linkListPages = [linksPage]
