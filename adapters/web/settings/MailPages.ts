// Which mails a member gets: some always, the others as they choose.
import { Effect } from "effect"
import { html } from "#adapters/html/Html.ts"
import { CHOSEN_MAILS } from "#core/domain/mails/ChosenMail.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { MailOwners } from "#core/usecases/mails/MailOwners.ts"
import { tick, under } from "../form/Fields.ts"
import { form, showForm, submit } from "../form/Form.ts"
import { page, seeOther } from "../Page.ts"

const PATH = "/account/settings/mails"

const choices = form({
  path: PATH,
  fields: {
    ...under("Decisions", {
      approvals: tick("An agent asks for your approval"),
      expiries: tick("An approval expired before anyone decided")
    }),
    ...under("Orders", {
      purchases: tick("An agent bought from your credit"),
      receipts: tick("An order was paid by card or placed in the Shop: the receipt, with its invoice"),
      links: tick("Links are online: at most one mail a day")
    }),
    ...under("Money", { topUps: tick("A top-up arrived") })
  },
  kind: "pay",
  button: "Save"
})

/** What is chosen, as the form shows it. */
const chosenBy = Effect.fnUntraced(function* (who: SignedIn) {
  const wanted = yield* (yield* MailOwners).wanted(who)
  return Object.fromEntries(wanted.map((kind) => [kind, "on"]))
})

const ALWAYS = html`<section class="card pad stack"><h2>Always on</h2>
<p>These keep your account safe, and go to every owner:</p>
<ul><li>new keys and assistants, wider limits, a daily limit that is nearly used, agents that were stopped</li>
<li>members, invitations, passkeys and apps</li>
<li>webhooks that stopped working</li>
<li>refunds, and all that the operator does to your account</li></ul></section>`

const mailsPage = page("viewer", PATH, { section: "Settings", title: "Mails" }, function* (visit) {
  const { who } = visit
  const isOwner = who.member.role === "owner"
  const own = isOwner
    ? html`<p>Mails go to <bdi>${who.member.email}</bdi>. What happens within a few minutes comes in one mail.</p>
${yield* showForm(choices, visit, { values: yield* chosenBy(who) })}`
    : html`<p class="empty">Mails go to the owners of the account, and you are a viewer.</p>`
  return html`${own}
${ALWAYS}`
})

export const mailPages = [
  mailsPage,
  submit("owner", choices, mailsPage, function* (given, { who }) {
    const wanted = CHOSEN_MAILS.filter((kind) => given[kind] === "on")
    yield* (yield* MailOwners).choose(who, wanted)
    return seeOther(PATH, "Saved. You get the mails that you chose.")
  })
]
