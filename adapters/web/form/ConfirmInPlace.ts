// Asks, in place of what a form or a button does, for the one confirmation of a session that a mail alone began. Its form brings back all that
// was sent, so that the person continues with what they did.
import { Effect } from "effect"
import { html } from "#adapters/html/Html.ts"
import { asksToConfirm } from "#core/domain/members/Confirmation.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import { type PageRoute, titled, type Visit } from "../Page.ts"
import { actionOf, confirmationFields, notConfirmed, proofOf } from "./Confirmation.ts"
import { hiddenInput } from "./Fields.ts"

const TITLE = "Confirm once in this browser"

/** What was asked for is done next, or shown again where it needs correcting. */
const asking = Effect.fnUntraced(function* ({ who, path, form }: Visit<SignedIn>, problem: string | null) {
  const { passkey, totp } = yield* ConfirmAction.use(({ need }) => need(who))
  const messages = new Map(problem === null ? [] : [["code", problem]])
  const sent = actionOf(path, form).fields.map(([name, value]) => hiddenInput(name, value))
  const fields = yield* confirmationFields(who, "action", { values: form, messages, saidFirst: true })
  const proving = html`<form class="wide" method="post" action="${path}">
${sent}
${fields.asks}<button class="btn main" type="submit">Confirm and continue</button>
</form>`
  const body = html`<p>You signed in by mail alone, so what you asked for is not done yet. Confirm once, and it is done; you are not asked again in this browser until you sign out.</p>
${passkey || totp ? proving : html`${fields.asks}${fields.after}`}
<p><a href="/account">Leave it as it is</a></p>`
  const refused = problem === null ? null : { path, values: form, messages, problem: null, isAsked: false }
  return titled(TITLE, body, { status: 403, refused })
})

/** `null`: nothing has to be confirmed, or it has just been. */
export const confirmInPlace = Effect.fnUntraced(function* ({ asks }: Pick<PageRoute, "asks">, visit: Visit<SignedIn>) {
  const { who, path, form } = visit
  if (!asksToConfirm(asks, who.session)) return null
  const { confirmSession } = yield* ConfirmAction
  const proof = proofOf(form)
  return yield* confirmSession(asks, who, actionOf(path, form), proof).pipe(
    Effect.as(null),
    Effect.catchTag("NotConfirmed", ({ reason }) =>
      asking(visit, proof.assertion === "" && proof.code === "" ? null : notConfirmed(reason, form))
    )
  )
})
