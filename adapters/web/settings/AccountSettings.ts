// The settings of the account itself: its name, what is on its invoices, and what was done with it.
import { Schema } from "effect"
import { namesAddress } from "#adapters/contract/schema/TargetUrl.ts"
import { shownName } from "#adapters/contract/schema/Text.ts"
import { type Html, html, isolated, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { text } from "../form/Fields.ts"
import { form, showForm, submit } from "../form/Form.ts"
import { page, seeOther, type Visit } from "../Page.ts"
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

export const accountTopic = ({ who: { account, member } }: Visit<SignedIn>): Html =>
  topic("account", "Account", "What all members of the account share.", [
    setting(
      "Name",
      html`<bdi>${account.name}</bdi>`,
      member.role === "owner" ? linkTo(rename.path, "Rename", "Rename the account") : nothing
    ),
    setting(
      "Invoices",
      "The name, address and VAT id that your invoices are made out to.",
      linkTo(`${SETTINGS_PATH}/billing`, "What is on your invoices")
    ),
    setting(
      "Activity",
      "Who did what, and when: your agents, the members and the operator.",
      linkTo(`${SETTINGS_PATH}/activity`, "All activity")
    )
  ])

const renamePage = page("owner", rename.path, { section: "Settings", title: "Rename the account" }, function* (visit) {
  return html`<p>The name is in all mails to you, on the pages that ask for an approval, in invitations and at the top of every page here. Orders, keys and your credit stay as they are, and so do invoices: <a href="${SETTINGS_PATH}/billing">their name</a> is changed by itself.</p>
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
