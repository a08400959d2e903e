// What the owner of an account asks of an order first: who ordered it, who approved it, how it was paid, what came back, and its documents.
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import { dateOf, dateText } from "#adapters/html/Times.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { creditedCents, type OrderStatus, type OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { actorText, type People, placerIn } from "../agents/Placers.ts"
import { term } from "../Tables.ts"
import { UNTIL_WHEN } from "../Wording.ts"
import { documentLinks, pdfLink } from "./Documents.ts"

const approverIn = ({ members }: People, approvedBy: string | null): string =>
  approvedBy === null ? "the sandbox" : actorText(approvedBy, members)

const howPaid = ({ creditCents, cardCents, totalCents, mode }: Quote): string => {
  if (mode === "sandbox") return `${formatEur(totalCents)}, in the sandbox: no money was moved`
  if (totalCents === 0) return "Nothing was to pay"
  if (cardCents === 0) return `${formatEur(creditCents)} from your credit`
  if (creditCents === 0) return `${formatEur(cardCents)} by card`
  return `${formatEur(creditCents)} from your credit and ${formatEur(cardCents)} by card`
}

/** The day of a document, where it is another than that of the order. */
const issuedOn = ({ facts: { issueDate } }: Invoice, { createdAtMs }: OrderWithLinks["order"]): Html =>
  dateOf(createdAtMs) === issueDate ? nothing : html` of ${dateText(issueDate)}`

const documentsOf = ({ order }: OrderWithLinks, documents: ReadonlyArray<Invoice>): Html => {
  if (order.mode === "sandbox") return nothing
  return term(
    documents.length > 1 ? "Documents" : "Invoice",
    documents.length === 0
      ? "Within a minute"
      : documentLinks(documents, (one) => html`${issuedOn(one, order)} (${pdfLink(one)})`)
  )
}

export const orderFacts = (
  found: OrderWithLinks,
  quote: Quote | null,
  { people, documents }: { readonly people: People; readonly documents: ReadonlyArray<Invoice> }
): Html => {
  const { order, links } = found
  const where = credentialKind(order.keyId) === "web" ? ", in the Shop" : ""
  const back = creditedCents(links)
  const approvedAtMs = quote?.approvedAtMs ?? null
  return html`<dl class="facts">
${term("Ordered", html`${instant(quote?.createdAtMs ?? order.createdAtMs)}${`, by ${placerIn(people, order)}${where}`}`)}
${approvedAtMs === null ? nothing : term("Approved", html`${instant(approvedAtMs)}${`, by ${approverIn(people, quote?.approvedBy ?? null)}`}`)}
${term("Paid", quote === null ? formatEur(order.totalCents) : html`${howPaid(quote)}, ${instant(order.createdAtMs)}`)}
${back === 0 ? nothing : term("Given back", `${formatEur(back)} for cancelled links, as credit`)}
${documentsOf(found, documents)}
${order.reference === null ? nothing : term("Your reference", order.reference)}
</dl>`
}

/** What happens next, and what the reader can do meanwhile. */
export const NEXT: Readonly<Record<OrderStatus, string>> = {
  paid: `What happens next: a writer takes each link. ${UNTIL_WHEN}`,
  in_progress:
    "What happens next: writers and editors work on it, and each link shows its address here once it is online. You need not do anything.",
  completed: "All links are online. There is nothing left to do.",
  cancelled: "All links are cancelled. Nothing more happens with this order."
}
