// The part of a form in which a member confirms it with a second factor, and the check of what it brings back.
import { Effect } from "effect"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { ConfirmationNeed } from "#core/domain/members/Confirmation.ts"
import type { NotConfirmed } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import { type FormState, fresh, hidden, input } from "./Fields.ts"
import type { FieldMessages } from "./FormBody.ts"
import { type Reply, type Section, show, type Visit } from "./PageRoutes.ts"

/** Where a browser asks for a challenge that is bound to a form. */
export const CONFIRM_PATH = "/account/confirm"

/** They prove, and are not part of what is confirmed. */
const PROOF_FIELDS: ReadonlyArray<string> = ["assertion", "code", "confirm_path"]

/** What a form asks for. */
export const actionOf = (path: string, form: URLSearchParams) => ({
  name: path,
  fields: [...form].filter(([name]) => !PROOF_FIELDS.includes(name))
})

/** A hidden field that the script fills, and where it says that it could not. */
export const passkeyField = (name: "assertion" | "registration", optionsPath: string): Html =>
  html`<input type="hidden" name="${name}" value="" data-options="${optionsPath}">
<p class="problem" role="alert" data-passkey-problem hidden></p>`

const problemOf = ({ messages }: FormState): Html => {
  const message = messages.get("code")
  return message === undefined ? nothing : html`<p class="problem" role="alert">${message}</p>`
}

const noFactor = html`<p class="note">Owners of this account confirm changes with a second factor, and you have none yet. Ask another owner or the operator for a one-time code, and <a href="/account/settings/factors">add a passkey or an app</a> with it.</p>`

const codeInput = (state: FormState, need: ConfirmationNeed, takesResetCode: boolean): Html => {
  const app = need.totp ? "Code of your authenticator app" : "One-time code"
  const hints = [
    ...(need.passkey ? ["Leave it empty to use your passkey, which needs JavaScript."] : []),
    ...(takesResetCode && need.totp ? ["A one-time code from the operator or another owner works too."] : []),
    ...(takesResetCode && !need.totp ? ["From the operator or another owner, if you have no passkey here."] : [])
  ]
  const hint = hints.length === 0 ? {} : { hint: hints.join(" ") }
  const inputMode = takesResetCode ? {} : { inputMode: "numeric" as const }
  const options = { name: "code", label: app, autocomplete: "one-time-code", maxLength: 40, ...hint, ...inputMode }
  // What was typed counts once, so that it is not shown again.
  return input({ ...fresh(), messages: state.messages }, options)
}

const unprotected = html`<p class="note">An assistant that reads your mail could open a sign-in link and do this in your name. <a href="/account/settings/factors">Add a passkey</a>, and it takes you to do it.</p>`

const fieldsOf = (need: ConfirmationNeed, state: FormState, takesResetCode: boolean): Html => {
  if (!need.isNeeded) return unprotected
  const { passkey, totp } = need
  if (!passkey && !totp && !takesResetCode) return html`${problemOf(state)}${noFactor}`
  const hasCode = totp || takesResetCode
  return html`<fieldset><legend>Confirm that it is you</legend>
${passkey ? passkeyField("assertion", CONFIRM_PATH) : nothing}
${passkey && !hasCode ? html`${problemOf(state)}<p class="hint">Your browser asks for your passkey.</p><noscript><p class="note">Passkeys need JavaScript, which is off.</p></noscript>` : nothing}
${hasCode ? codeInput(state, need, takesResetCode) : nothing}
</fieldset>`
}

const MESSAGES: Readonly<Record<NotConfirmed["reason"], string>> = {
  missing: "Confirm this with your passkey or a code of your app.",
  refused:
    "This was not accepted. Use your passkey again, or enter the code that your app shows now; each counts once.",
  no_factor: "You have no second factor to confirm this with."
}

/** For the state of the form that is shown again. */
export const confirmMessages = ({ reason }: NotConfirmed): FieldMessages => new Map([["code", MESSAGES[reason]]])

/** A page that asks to confirm what a form without room for it wanted. */
export interface ConfirmPage {
  readonly section: Section
  readonly title: string
  readonly says: Html
  /** The label of the button. */
  readonly label: string
  readonly back: string
}

const PROOFS = ["assertion", "code"] as const

const proofOf = (form: URLSearchParams) => {
  const [assertion, code] = PROOFS.map((name) => form.get(name) ?? "")
  return { assertion: assertion ?? "", code: code ?? "" }
}

/** For the handlers of pages; see the README of this folder. */
export const makeConfirmation = Effect.gen(function* () {
  const confirmAction = yield* ConfirmAction

  /** Inside the form. `takesResetCode`: for changes of the member's own factors. */
  const fields = (who: SignedIn, state: FormState, takesResetCode = false) =>
    Effect.map(confirmAction.need(who), (need) => fieldsOf(need, state, takesResetCode))

  return {
    need: confirmAction.need,
    fields,
    /** The evidence that a guarded change takes. */
    confirm: ({ who, path, form }: Visit<SignedIn>) => confirmAction.confirm(who, actionOf(path, form), proofOf(form)),
    confirmFactorChange: ({ who, path, form }: Visit<SignedIn>) =>
      confirmAction.confirmFactorChange(who, actionOf(path, form), proofOf(form)),
    /** Answers a form whose confirmation is missing or was refused: the same form again, with room for it. */
    ask: Effect.fnUntraced(function* (visit: Visit<SignedIn>, page: ConfirmPage, refusal: NotConfirmed) {
      const { who, path, form } = visit
      const isAsked = refusal.reason === "missing"
      const state = isAsked ? fresh() : { values: form, messages: confirmMessages(refusal) }
      const kept = actionOf(path, form).fields.map(([name, value]) => hidden(name, value))
      const reply: Reply = show(
        page.section,
        page.title,
        html`<h1>${page.title}</h1>
${page.says}
<form class="wide" method="post" action="${path}">${kept}
${yield* fields(who, state)}
<button type="submit">${page.label}</button>
</form>
<p><a href="${page.back}">Leave it as it is</a></p>`,
        { status: 403 }
      )
      return reply
    })
  }
})

export type Confirmation = Effect.Success<typeof makeConfirmation>
