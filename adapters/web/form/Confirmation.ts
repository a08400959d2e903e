// The part of a form in which a member confirms it with a second factor, and what it brings back.
import { Effect, Schema } from "effect"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { ConfirmationNeed, Proof } from "#core/domain/members/Confirmation.ts"
import type { NotConfirmed } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import { HELP } from "../help/HelpTopics.ts"
import { type FormState, passkey, text } from "./Fields.ts"

/** `factors`: a change of the member's own factors, which a one-time code confirms too. */
export type Confirms = "action" | "factors"

/** Where a browser asks for a challenge that is bound to a form. */
export const CONFIRM_PATH = "/account/confirm"

/** They prove, and are not part of what is confirmed. */
const PROOF_FIELDS: ReadonlyArray<string> = ["assertion", "code", "confirm_path"]

/** What a form asks for. */
export const actionOf = (path: string, form: URLSearchParams) => ({
  name: path,
  fields: [...form].filter(([name]) => !PROOF_FIELDS.includes(name))
})

export const proofOf = (form: URLSearchParams): Proof => ({
  assertion: form.get("assertion") ?? "",
  code: form.get("code") ?? ""
})

const problemOf = ({ messages, saidFirst }: FormState): Html => {
  const message = messages.get("code")
  return message === undefined || saidFirst ? nothing : html`<p class="problem">${message}</p>`
}

export const noFactor = html`<p class="note">Changes in this account are confirmed with a passkey or an app, and you have none yet. Ask another owner or the operator for a one-time code, and <a href="/account/settings/factors">add yours</a> with it.</p>`

const codeInput = (state: FormState, need: ConfirmationNeed, takesResetCode: boolean): Html => {
  const hints = [
    ...(need.passkey ? ["Leave it empty to use your passkey, which needs JavaScript."] : []),
    ...(takesResetCode && need.totp ? ["A one-time code from the operator or another owner works too."] : []),
    ...(takesResetCode && !need.totp ? ["From the operator or another owner, if you have no passkey here."] : [])
  ]
  const code = text(Schema.String, need.totp ? "Code of your authenticator app" : "One-time code", {
    ...{ once: true, autocomplete: "one-time-code", maxLength: 40 },
    ...(hints.length === 0 ? {} : { hint: hints.join(" ") }),
    ...(takesResetCode ? {} : { inputMode: "numeric" })
  })
  return code.control("code", state)
}

const unprotected = html`\n<p class="hint">An assistant that reads your mail could do this in your name. <a href="/account/settings/factors">Add a passkey</a> · <a href="${HELP}#second-factors">Why a passkey?</a></p>`

const fieldsOf = (need: ConfirmationNeed, state: FormState, takesResetCode: boolean): Html => {
  const { passkey: hasPasskey, totp } = need
  if (!hasPasskey && !totp && !takesResetCode) return html`${problemOf(state)}${noFactor}`
  const hasCode = totp || takesResetCode
  return html`<fieldset><legend>Confirm that it is you</legend>
${hasPasskey ? passkey(CONFIRM_PATH).control("assertion", state) : nothing}
${hasPasskey && !hasCode ? html`${problemOf(state)}<p class="hint">Your browser asks for your passkey.</p><noscript><p class="note">Passkeys need JavaScript, which is off.</p></noscript>` : nothing}
${hasCode ? codeInput(state, need, takesResetCode) : nothing}
</fieldset>`
}

/** Inside the form: what it asks, and what is said after its buttons where it asks nothing. */
export const confirmationFields = (who: SignedIn, confirms: Confirms, state: FormState) =>
  ConfirmAction.use(({ need }) =>
    Effect.map(need(who), (needed) =>
      needed.isNeeded
        ? { asks: html`${fieldsOf(needed, state, confirms === "factors")}\n`, after: nothing }
        : // Who adds a factor needs no advice to add one.
          { asks: nothing, after: confirms === "factors" ? nothing : unprotected }
    )
  )

/** The evidence that a guarded change takes. */
export const confirmation = (
  { confirm, confirmFactorChange }: ConfirmAction["Service"],
  confirms: Confirms,
  { who, path, form }: { readonly who: SignedIn; readonly path: string; readonly form: URLSearchParams }
) => {
  return (confirms === "factors" ? confirmFactorChange : confirm)(who, actionOf(path, form), proofOf(form))
}

const NOT_CONFIRMED: Readonly<Record<Exclude<NotConfirmed["reason"], "refused">, string>> = {
  missing: "Confirm this with your passkey, or with a code of your app.",
  no_factor: "You have no passkey and no app to confirm this with."
}

/** Says of what was sent, a passkey or a code, that it was not accepted. */
export const notConfirmed = (reason: NotConfirmed["reason"], form: URLSearchParams): string => {
  if (reason !== "refused") return NOT_CONFIRMED[reason]
  return proofOf(form).assertion === ""
    ? "This code was not accepted. It is wrong, too old or already used: enter a current one. After ten wrong codes you wait an hour."
    : "Your passkey was not accepted. Use it again, and answer your browser within five minutes."
}
