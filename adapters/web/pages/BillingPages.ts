// What is on the account's invoices: an owner changes it, a viewer sees it.
import { Effect, Result } from "effect"
import { BillingFields, billingDetails } from "#adapters/contract/invoicing/BillingDetails.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { BillingIdentity } from "#core/domain/invoicing/Party.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { COUNTRIES } from "#core/domain/shared/Country.ts"
import { EditBilling } from "#core/usecases/invoicing/EditBilling.ts"
import { type FormState, formProblem, fresh, input, select, textarea } from "../Fields.ts"
import { formDecoder } from "../FormBody.ts"
import { action, type Handlers, page, seeOther, show } from "../PageRoutes.ts"

const PATH = "/account/settings/billing"

export const billingRoutes = {
  billing: page("viewer", PATH),
  saveBilling: action("owner", PATH)
}

const decode = formDecoder(BillingFields)

const countryNames = new Intl.DisplayNames("en", { type: "region" })
const choices = COUNTRIES.map((value) => ({ value, label: countryNames.of(value) ?? value }))
  .sort((a, b) => a.label.localeCompare(b.label, "en"))
  .toSpliced(0, 0, { value: "", label: "Choose a country" })

const vatText = ({ vatId, vatIdConfirmed }: BillingIdentity): string =>
  vatId === null ? "none" : `${vatId} (${vatIdConfirmed ? "confirmed by us" : "not confirmed by us yet"})`

const present = (identity: BillingIdentity | null, accountName: string): Html => {
  if (identity === null)
    return html`<p class="empty">Nothing is set: invoices are made out to a consumer by the name <bdi>${accountName}</bdi>.</p>`
  const { name, address, country, reference } = identity
  return html`<section class="card"><h2>At present</h2>
<p dir="auto">${name}${address.split("\n").map((line) => html`<br>${line}`)}<br>${countryNames.of(country) ?? country}</p>
<p>VAT id: ${vatText(identity)}</p>
<p>Your reference: <bdi>${reference ?? "none"}</bdi></p>
</section>`
}

const form = (state: FormState): Html => html`<h2>Change it</h2>
${formProblem(state)}
<form class="wide" method="post" action="${PATH}">
${input(state, { name: "name", label: "Name", hint: "Of the company or the person.", required: true, maxLength: 200, autocomplete: "organization" })}
${textarea(state, { name: "address", label: "Address", hint: "Street and town, at most six lines, without the country." })}
${select(state, { name: "country", label: "Country", choices })}
${input(state, { name: "vatId", label: "VAT id", hint: "Of a business, such as DE136695976. Leave it empty otherwise.", maxLength: 40 })}
${input(state, { name: "reference", label: "Your reference", hint: "Printed on each invoice, such as a purchase order.", maxLength: 100 })}
<button type="submit">Save</button>
</form>`

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

export const billingHandlers = Effect.gen(function* () {
  const billing = yield* EditBilling

  const billingPage = Effect.fnUntraced(function* ({ account, member }: SignedIn, typed: FormState | null) {
    const identity = yield* billing.of(account.accountId)
    return show(
      "Settings",
      "On your invoices",
      html`<h1>On your invoices</h1>
<p>It is on every invoice that is issued from now on. Invoices that are issued already stay as they are.</p>
${present(identity, account.name)}
<p>A business in another member state of the European Union than ours is charged no VAT once we have confirmed its VAT id. Another VAT id or country has to be confirmed again.</p>
${member.role === "owner" ? form(typed ?? fresh(valuesOf(identity))) : nothing}
<p><a href="/account/settings">All settings</a></p>`,
      { status: typed === null ? 200 : 422 }
    )
  })

  const handlers: Handlers<typeof billingRoutes> = {
    billing: ({ who }) => billingPage(who, null),
    saveBilling: Effect.fnUntraced(function* ({ who, form: values }) {
      const decoded = decode(values)
      if (Result.isFailure(decoded)) return yield* billingPage(who, { values, messages: decoded.failure })
      yield* billing.save(who.account.accountId, billingDetails(decoded.success), who.member.memberId)
      return seeOther(PATH, "Saved. It is on your next invoice.")
    })
  }
  return handlers
})
