// What is on the account's invoices: an owner changes it, a viewer sees it.
import { BillingFields, billingDetails } from "#adapters/contract/invoicing/BillingDetails.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { BillingIdentity } from "#core/domain/invoicing/Party.ts"
import { COUNTRIES } from "#core/domain/shared/Country.ts"
import { EditBilling } from "#core/usecases/invoicing/EditBilling.ts"
import { choice, lines, text } from "../form/Fields.ts"
import { form, showForm, submit } from "../form/Form.ts"
import { page, seeOther } from "../Page.ts"

export const BILLING_PATH = "/account/settings/billing"

const countryNames = new Intl.DisplayNames("en", { type: "region" })
const choices = COUNTRIES.map((value) => ({ value, label: countryNames.of(value) ?? value }))
  .sort((a, b) => a.label.localeCompare(b.label, "en"))
  .toSpliced(0, 0, { value: "", label: "Choose a country" })

const asked = BillingFields.fields

const billing = form({
  path: BILLING_PATH,
  fields: {
    name: text(asked.name, "Name", {
      hint: "The name of the company or the person.",
      required: true,
      maxLength: 200,
      autocomplete: "organization"
    }),
    address: lines(asked.address, "Address", { hint: "Street and town, at most six lines, without the country." }),
    country: choice(asked.country, "Country", choices),
    vatId: text(asked.vatId, "VAT id", {
      hint: "For a business, such as DE136695976; a private person leaves it empty. Once we have confirmed it, a business in another EU country than ours is charged no VAT. We confirm it again if you change it or the country.",
      maxLength: 40
    }),
    reference: text(asked.reference, "Your reference", {
      hint: "Printed on each invoice, such as a cost centre. Leave it empty for none.",
      maxLength: 100
    })
  },
  whole: BillingFields,
  kind: "pay",
  button: "Save for future invoices"
})

const vatText = ({ vatId, vatIdConfirmed }: BillingIdentity): string =>
  vatId === null ? "none" : `${vatId} (${vatIdConfirmed ? "confirmed by us" : "not confirmed by us yet"})`

/** Whom invoices are made out to, in one line. */
export const buyerText = (identity: BillingIdentity | null, accountName: string): Html =>
  identity === null
    ? html`<bdi>${accountName}</bdi>, as a consumer`
    : html`<bdi>${identity.name}</bdi>, ${countryNames.of(identity.country) ?? identity.country}; VAT id: ${vatText(identity)}`

/** What stands on the next invoice. */
const present = (identity: BillingIdentity | null, accountName: string): Html => {
  const about = html`<h2>On your next invoice</h2>`
  if (identity === null)
    return html`<section class="card pad stack">${about}
<p><strong><bdi>${accountName}</bdi></strong>, as a consumer, without an address.</p></section>`
  const { name, address, country, reference } = identity
  return html`<section class="card pad stack">${about}
<p dir="auto"><strong>${name}</strong>${address.split("\n").map((line) => html`<br>${line}`)}<br>${countryNames.of(country) ?? country}</p>
<p>VAT id: ${vatText(identity)}<br>Your reference: <bdi>${reference ?? "none"}</bdi></p>
</section>`
}

const valuesOf = (identity: BillingIdentity | null): Readonly<Record<string, string>> =>
  identity === null
    ? {}
    : {
        name: identity.name,
        address: identity.address,
        country: identity.country,
        vatId: identity.vatId ?? "",
        reference: identity.reference ?? ""
      }

const billingPage = page(
  "viewer",
  BILLING_PATH,
  { section: "Settings", title: "On your invoices", help: "invoices" },
  function* (visit) {
    const { account, member } = visit.who
    const identity = yield* (yield* EditBilling).of(account.accountId)
    const change = html`<h2>Change it</h2>
${yield* showForm(billing, visit, { values: valuesOf(identity) })}`
    return html`${present(identity, account.name)}
<p class="small">Invoices that were already issued stay as they are.</p>
${member.role === "owner" ? change : nothing}`
  }
)

export const billingPages = [
  billingPage,
  submit("owner", billing, billingPage, function* (given, { who: { account, member } }) {
    yield* (yield* EditBilling).save(account.accountId, billingDetails(given), member.memberId)
    return seeOther(BILLING_PATH, "Saved. It is on your next invoice.")
  })
]
