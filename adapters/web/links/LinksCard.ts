// How the links of the account stand, as a card: what is in work, what is due next, what is overdue, and what went online lately.
import { separated, spanText } from "#adapters/contract/shared/Counted.ts"
import { dayOf, type Html, html, nothing } from "#adapters/html/Html.ts"
import { MAX_COUNTED } from "#core/domain/access/ListScope.ts"
import { LATELY_MS, type LinkList, type LinkProgress } from "#core/domain/ordering/LinkLists.ts"
import { state } from "../Wording.ts"

export const LINKS_PATH = "/account/links"

/** How long what went online is listed. */
export const LATELY = spanText(LATELY_MS)

export const listPath = (list: LinkList): string => (list === "in_work" ? LINKS_PATH : `${LINKS_PATH}?list=${list}`)

/** Counts end there. */
const countText = (count: number): string => (count < MAX_COUNTED ? separated(count) : `${separated(count)} or more`)

const listLink = (list: LinkList, says: Html | string): Html => html`<a href="${listPath(list)}">${says}</a>`

const dueNote = ({ inWork, nextDueAtMs }: LinkProgress): Html => {
  if (nextDueAtMs !== null) return html`next due ${dayOf(nextDueAtMs)}`
  return inWork === 0 ? html`no link is being worked on` : html`no due date is to come`
}

/** For `figures`. */
export const linksCard = (progress: LinkProgress): readonly [label: string, amount: Html, note: Html] => {
  const { inWork, overdue, online } = progress
  const late = overdue === 0 ? nothing : html` ${listLink("overdue", state(`${countText(overdue)} overdue`, "bad"))}`
  return [
    "Links in work",
    inWork === 0 ? html`${inWork}` : listLink("in_work", countText(inWork)),
    html`${dueNote(progress)}${late}${inWork + online === 0 ? nothing : html`<br>${online === 0 ? "none" : listLink("online", countText(online))} went online in the last ${LATELY}`}`
  ]
}
