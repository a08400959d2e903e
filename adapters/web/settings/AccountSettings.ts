// The settings of the account itself: its name, what is on its invoices, and what was done with it.
import { Effect, Schema } from "effect"
import { namesAddress } from "#adapters/contract/schema/TargetUrl.ts"
import { shownName } from "#adapters/contract/schema/Text.ts"
import { html, isolated, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { EditBilling } from "#core/usecases/invoicing/EditBilling.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { text } from "../form/Fields.ts"
import { form, showForm, submit } from "../form/Form.ts"
import { page, seeOther, type Visit } from "../Page.ts"
import { BILLING_PATH, buyerText } from "./BillingPages.ts"
import { linkTo, SETTINGS_PATH, setting, topic } from "./SettingCards.ts"

/** Mails to people who do not know the account carry its name. */
const accountName = shownName.check(
  Schema.makeFilter((name: string) => !namesAddress(name), {
    message: "Must not contain an address of the web or of a mailbox: mails carry the name."
  })
)

const rename = form({
  path: `${SETTINGS_PATH}/name`,
  fields: {
    name: text(accountName, "Name of the account", {
      hint: "Such as your company.",
      required: true,
      maxLength: 200,
      autocomplete: "organization"
    })
  },
  button: "Rename the account"
})

export const accountTopic = Effect.fnUntraced(function* ({ who: { account, member } }: Visit<SignedIn>) {
  const identity = yield* (yield* EditBilling).of(account.accountId)
  const isOwner = member.role === "owner"
  const change = isOwner ? "Change" : "View"
  return topic("account", "Account", "Shared by all members.", [
    setting(
      "Name",
      html`<bdi>${account.name}</bdi>`,
      isOwner ? linkTo(rename.path, "Change", "Change the name of the account") : nothing
    ),
    setting(
      "Your invoices are made out to",
      buyerText(identity, account.name),
      linkTo(BILLING_PATH, change, `${change} what is on your invoices`)
    ),
    setting(
      "Activity",
      "What your agents, the members and the operator did, and when.",
      linkTo(`${SETTINGS_PATH}/activity`, "View", "View all activity")
    )
  ])
})

const renamePage = page("owner", rename.path, { section: "Settings", title: "Rename the account" }, function* (visit) {
  return html`<p>The name stands on the pages of the account, in your mails and in invitations. The name on your invoices is set <a href="${BILLING_PATH}">with their address</a>.</p>
${yield* showForm(rename, visit, { values: { name: visit.who.account.name } })}
<p><a href="${SETTINGS_PATH}">Leave it as it is</a></p>`
})

export const accountPages = [
  renamePage,
  submit("owner", rename, renamePage, function* ({ name: typed }, { who }) {
    const { name } = yield* (yield* ManageAccounts).rename(who, typed)
    return seeOther(SETTINGS_PATH, `The account is called ${isolated(name)} now.`)
  })
]
