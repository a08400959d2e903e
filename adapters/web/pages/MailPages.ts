// Which mails a member wants: those on what agents bought from credit.
import { Effect } from "effect"
import { type Html, html } from "#adapters/http/Html.ts"
import { MailPurchases } from "#core/usecases/MailPurchases.ts"
import { button } from "../Fields.ts"
import { action, type Handlers, page, seeOther, show } from "../PageRoutes.ts"

const PATH = "/account/settings/mails"

export const mailRoutes = {
  mails: page("viewer", "/account/settings/mails"),
  wantMails: action("owner", "/account/settings/mails/want"),
  stopMails: action("owner", "/account/settings/mails/stop")
}

const WANTED = html`<p>You get them.</p>${button(`${PATH}/stop`, "Do not send me these mails")}`
const UNWANTED = html`<p>You do not get them.</p>${button(`${PATH}/want`, "Send me these mails")}`
const VIEWER = html`<p class="empty">They go to the owners of the account, and you are a viewer.</p>`

const body = (choice: Html): Html => html`<h1>Mails</h1>
<h2>What agents bought from credit</h2>
<p>A mail says what an agent of yours bought from the credit of this account, and has a button that leads to the page which stops all agents. What is bought within a few minutes comes in one mail. What you order in the Shop, or pay yourself, is not mailed.</p>
${choice}
<p><a href="/account/settings">Back to the settings</a></p>`

export const mailHandlers = Effect.gen(function* () {
  const purchases = yield* MailPurchases

  const handlers: Handlers<typeof mailRoutes> = {
    mails: Effect.fnUntraced(function* ({ who }) {
      const choice = (yield* purchases.isWanted(who)) ? WANTED : UNWANTED
      return show("Settings", "Mails", body(who.member.role === "owner" ? choice : VIEWER))
    }),
    wantMails: ({ who }) =>
      Effect.as(purchases.want(who, true), seeOther(PATH, "You get a mail when an agent buys from credit.")),
    stopMails: ({ who }) =>
      Effect.as(purchases.want(who, false), seeOther(PATH, "You get no mails any more on what agents buy."))
  }
  return handlers
})
