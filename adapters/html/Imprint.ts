// Who runs the service, as the foot of every page says it: the company, its terms and its privacy, and where questions go. What the operator
// has not configured is left out.
import { Context } from "effect"
import { type Html, html, nothing } from "./Html.ts"

export interface Imprint {
  /** The seller on invoices. */
  readonly company: {
    readonly name: string
    /** One or more lines. */
    readonly address: string
    /** ISO 3166, two letters. */
    readonly country: string
    readonly taxId: string
    /** Whether `taxId` is a VAT id; a small business may have a tax number alone. */
    readonly hasVatId: boolean
  } | null
  /** An address of mail, a URL, or another text of the operator. */
  readonly contact: string | null
  /** The operator's own texts. */
  readonly pages: ReadonlyArray<{ readonly path: string; readonly title: string }>
}

export const Imprint = Context.Reference<Imprint>("backlinks/adapters/html/Imprint", {
  defaultValue: () => ({ company: null, contact: null, pages: [] })
})

const countryNames = new Intl.DisplayNames("en", { type: "region" })

/** An address of mail or of the web as a link; the setting is the operator's text and may be neither. */
export const contactLink = (contact: string): Html => {
  const address = /^[^\s@:]+@[^\s@]+$/.test(contact) ? `mailto:${contact}` : contact
  return /^(?:mailto|https?):/i.test(address) ? html`<a href="${address}">${contact}</a>` : html`${contact}`
}

type Company = NonNullable<Imprint["company"]>

/** "Hafenstrasse 14, 20457 Hamburg, Germany". */
export const placeText = ({ address, country }: Company): string =>
  [...address.split("\n"), countryNames.of(country) ?? country].join(", ")

/** "VAT id DE136695976". */
export const taxText = ({ taxId, hasVatId }: Company): string =>
  `${hasVatId ? "VAT\u00A0id" : "Tax\u00A0number"}\u00A0${taxId}`

const companyLine = ({ company }: Imprint): Html =>
  company === null
    ? nothing
    : html`\n<p><strong>${company.name}</strong>, ${placeText(company)}, ${taxText(company)}</p>`

/** `links`: list items before those of the imprint. */
export const imprintFoot = (imprint: Imprint, links: Html = nothing): Html => {
  const { contact, pages } = imprint
  const questions = contact === null ? nothing : html`<li>Questions? ${contactLink(contact)}</li>`
  const texts = html`${pages.map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}`
  const items = html`${links}${texts}${questions}`
  const list = items.text === "" ? nothing : html`<ul class="links">${items}</ul>`
  const shown = html`${list}${companyLine(imprint)}`
  return shown.text === "" ? nothing : html`<div class="stack">${shown}</div>`
}
