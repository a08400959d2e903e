// What is on the account's invoices: an owner changes it, a viewer sees it.
import { BillingFields, billingDetails } from "#adapters/contract/invoicing/BillingDetails.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { BillingIdentity } from "#core/domain/invoicing/Party.ts"
import { COUNTRIES } from "#core/domain/shared/Country.ts"
import { EditBilling } from "#core/usecases/invoicing/EditBilling.ts"
import { choice, lines, text } from "../form/Fields.ts"
import { form, showForm, submit } from "../form/Form.ts"
import { page, seeOther } from "../Page.ts"

const PATH = "/account/settings/billing"

const countryNames = new Intl.DisplayNames("en", { type: "region" })
const choices = COUNTRIES.map((value) => ({ value, label: countryNames.of(value) ?? value }))
  .sort((a, b) => a.label.localeCompare(b.label, "en"))
  .toSpliced(0, 0, { value: "", label: "Choose a country" })

const asked = BillingFields.fields

const billing = form({
  path: PATH,
  fields: {
    name: text(asked.name, "Name", {
      hint: "Of the company or the person.",
      required: true,
      maxLength: 200,
      autocomplete: "organization"
    }),
    address: lines(asked.address, "Address", { hint: "Street and town, at most six lines, without the country." }),
    country: choice(asked.country, "Country", choices),
    vatId: text(asked.vatId, "VAT id", {
      hint: "Of a business, such as DE136695976. Leave it empty otherwise.",
      maxLength: 40
    }),
    reference: text(asked.reference, "Your reference", {
      hint: "Printed on each invoice, such as a purchase order.",
      maxLength: 100
    })
  },
  whole: BillingFields
})

const vatText = ({ vatId, vatIdConfirmed }: BillingIdentity): string =>
  vatId === null ? "none" : `${vatId} (${vatIdConfirmed ? "confirmed by us" : "not confirmed by us yet"})`

const present = (identity: BillingIdentity | null, accountName: string): Html => {
  if (identity === null)
    return html`<p class="empty">Nothing is set: invoices are made out to a consumer by the name <bdi>${accountName}</bdi>.</p>`
  const { name, address, country, reference } = identity
  return html`<section class="card pad stack"><h2>At present</h2>
<p dir="auto">${name}${address.split("\n").map((line) => html`<br>${line}`)}<br>${countryNames.of(country) ?? country}</p>
<p>VAT id: ${vatText(identity)}</p>
<p>Your reference: <bdi>${reference ?? "none"}</bdi></p>
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
  PATH,
  { section: "Settings", title: "On your invoices", help: "invoices" },
  function* (visit) {
    const { account, member } = visit.who
    const identity = yield* (yield* EditBilling).of(account.accountId)
    const change = html`<h2>Change it</h2>
${yield* showForm(billing, visit, { values: valuesOf(identity) })}`
    return html`<p>It is on every invoice that is issued from now on. Invoices that are issued already stay as they are.</p>
${present(identity, account.name)}
<p>A business in another member state of the European Union than ours is charged no VAT once we have confirmed its VAT id. Another VAT id or country has to be confirmed again.</p>
${member.role === "owner" ? change : nothing}
<p><a href="/account/settings">All settings</a></p>`
  }
)

export const billingPages = [
  billingPage,
  submit("owner", billing, billingPage, function* (given, { who: { account, member } }) {
    yield* (yield* EditBilling).save(account.accountId, billingDetails(given), member.memberId)
    return seeOther(PATH, "Saved. It is on your next invoice.")
  })
]
