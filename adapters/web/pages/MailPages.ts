// Which mails a member wants: those on orders that wait for approval, and those on what agents bought from credit.
import { Effect } from "effect"
import { type Html, html } from "#adapters/html/Html.ts"
import { MailApprovals } from "#core/usecases/mails/MailApprovals.ts"
import { MailPurchases } from "#core/usecases/mails/MailPurchases.ts"
import { button } from "../Fields.ts"
import { action, type Handlers, page, seeOther, show } from "../PageRoutes.ts"

const PATH = "/account/settings/mails"
const APPROVALS = `${PATH}/approvals`

export const mailRoutes = {
  mails: page("viewer", "/account/settings/mails"),
  wantMails: action("owner", "/account/settings/mails/want"),
  stopMails: action("owner", "/account/settings/mails/stop"),
  wantApprovals: action("owner", "/account/settings/mails/approvals/want"),
  stopApprovals: action("owner", "/account/settings/mails/approvals/stop")
}

const choice = (path: string, wanted: boolean, what: string): Html =>
  wanted
    ? html`<p>You get them.</p>${button(`${path}/stop`, `Do not send me mails on ${what}`)}`
    : html`<p>You do not get them.</p>${button(`${path}/want`, `Send me mails on ${what}`)}`

const VIEWER = html`<p class="empty">They go to the owners of the account, and you are a viewer.</p>`

const body = (approvals: Html, purchases: Html): Html => html`<h1>Mails</h1>
<h2>What waits for approval</h2>
<p>A mail says that an order of an agent waits for an owner of this account, and leads to its page. It approves nothing by itself.</p>
${approvals}
<h2>What agents bought from credit</h2>
<p>A mail says what an agent of yours bought from the credit of this account, and has a button that leads to the page which stops all agents. What is bought within a few minutes comes in one mail. What you order in the Shop, or pay yourself, is not mailed.</p>
${purchases}
<p><a href="/account/settings">Back to the settings</a></p>`

export const mailHandlers = Effect.gen(function* () {
  const purchases = yield* MailPurchases
  const approvals = yield* MailApprovals

  const handlers: Handlers<typeof mailRoutes> = {
    mails: Effect.fnUntraced(function* ({ who }) {
      if (who.member.role !== "owner") return show("Settings", "Mails", body(VIEWER, VIEWER))
      const forApprovals = choice(APPROVALS, yield* approvals.isWanted(who), "approvals")
      const forPurchases = choice(PATH, yield* purchases.isWanted(who), "purchases")
      return show("Settings", "Mails", body(forApprovals, forPurchases))
    }),
    wantMails: ({ who }) =>
      Effect.as(purchases.want(who, true), seeOther(PATH, "You get a mail when an agent buys from credit.")),
    stopMails: ({ who }) =>
      Effect.as(purchases.want(who, false), seeOther(PATH, "You get no mails any more on what agents buy.")),
    wantApprovals: ({ who }) =>
      Effect.as(approvals.want(who, true), seeOther(PATH, "You get a mail when an order waits for approval.")),
    stopApprovals: ({ who }) =>
      Effect.as(approvals.want(who, false), seeOther(PATH, "You get no mails any more on what waits for approval."))
  }
  return handlers
})
