// Which mails a member wants: those on orders that wait for approval, and those on what agents bought from credit.
import { type Html, html } from "#adapters/html/Html.ts"
import { MailOwners } from "#core/usecases/mails/MailOwners.ts"
import { button } from "../form/Form.ts"
import { action, page, seeOther } from "../Page.ts"

const PATH = "/account/settings/mails"
const APPROVALS = `${PATH}/approvals`

const choice = (path: string, wanted: boolean, what: string): Html =>
  wanted
    ? html`<p>You get them.</p>${button(`${path}/stop`, `Do not send me mails on ${what}`)}`
    : html`<p>You do not get them.</p>${button(`${path}/want`, `Send me mails on ${what}`)}`

const VIEWER = html`<p class="empty">They go to the owners of the account, and you are a viewer.</p>`

const mailsPage = page("viewer", PATH, { section: "Settings", title: "Mails" }, function* ({ who }) {
  const isOwner = who.member.role === "owner"
  const { approvals, purchases } = yield* MailOwners
  const forApprovals = choice(APPROVALS, yield* approvals.isWanted(who), "approvals")
  const forPurchases = choice(PATH, yield* purchases.isWanted(who), "purchases")
  return html`<h2>What waits for approval</h2>
<p>A mail says that an order of an agent waits for an owner of this account, and leads to its page. It approves nothing by itself.</p>
${isOwner ? forApprovals : VIEWER}
<h2>What agents bought from credit</h2>
<p>A mail says what an agent of yours bought from the credit of this account, and has a button that leads to the page which stops all agents. What is bought within a few minutes comes in one mail. What you order in the Shop, or pay yourself, is not mailed.</p>
${isOwner ? forPurchases : VIEWER}
<p><a href="/account/settings">Back to the settings</a></p>`
})

const purchases = (wanted: boolean, done: string) =>
  action("owner", `${PATH}/${wanted ? "want" : "stop"}`, function* ({ who }) {
    yield* (yield* MailOwners).purchases.want(who, wanted)
    return seeOther(PATH, done)
  })

const approvals = (wanted: boolean, done: string) =>
  action("owner", `${APPROVALS}/${wanted ? "want" : "stop"}`, function* ({ who }) {
    yield* (yield* MailOwners).approvals.want(who, wanted)
    return seeOther(PATH, done)
  })

export const mailPages = [
  mailsPage,
  purchases(true, "You get a mail when an agent buys from credit."),
  purchases(false, "You get no mails any more on what agents buy."),
  approvals(true, "You get a mail when an order waits for approval."),
  approvals(false, "You get no mails any more on what waits for approval.")
]
