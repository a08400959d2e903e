// A form, once for all pages: said as data, shown on its page, decoded when it is sent, refused beside its fields with what was typed, or
// done, with a sentence on the next page.
import { Data, Effect, Result, type Schema } from "effect"
import type { HttpRouter } from "effect/http"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { NotConfirmed } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import { action, type Page, type WhoOf } from "../Page.ts"
import { type Audience, type Reply, type Section, show, type Visit } from "../PageRoutes.ts"
import { actionOf, type Confirms, confirmation, confirmationFields, NOT_CONFIRMED } from "./Confirmation.ts"
import { attribute, controlsOf, type Fields, fresh, type Refused, schemaOf, seen, type Values } from "./Fields.ts"
import { type FieldMessages, formDecoder } from "./FormBody.ts"

export interface Form<F extends Fields = Fields> {
  /** The route that it is sent to. Parameters in it have the values that they have in the path of the page. */
  readonly path: HttpRouter.PathInput
  readonly fields: F
  /** Instead of the fields' own schemas, where one depends on another. */
  readonly whole?: Schema.ConstraintDecoder<Values<F>>
  readonly button: string
  readonly kind?: "pay" | "grave"
  /** `wide` unless said otherwise. */
  readonly look?: "wide" | "plain" | "inline"
  /** Said between the fields and the button. */
  readonly note?: Html
  readonly confirms?: Confirms
}

export const form = <F extends Fields>(asked: Form<F>): Form<F> => asked

const pathOf = (route: string, params: Readonly<Record<string, string | undefined>>): string =>
  route.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ""))

const problemOf = ({ messages, problem }: Refused): Html => {
  if (problem === null && messages.size === 0) return nothing
  const says = problem ?? `Nothing was done: please correct ${counted(messages.size, "field")} below.`
  return html`<p class="problem" role="alert">${says}</p>`
}

export interface ShowOptions {
  /** What is in it before it is sent. */
  readonly values?: Readonly<Record<string, string>>
  /** What is wrong with these values. */
  readonly messages?: FieldMessages
  /** Instead of the form's own, where they depend on what the page shows. */
  readonly fields?: Fields
  readonly button?: string
}

export const showForm = Effect.fnUntraced(function* (
  asked: Form,
  { who, params, refused }: Visit<SignedIn | null>,
  { values = {}, messages = new Map(), fields = asked.fields, button = asked.button }: ShowOptions = {}
) {
  const { look = "wide", kind, note = nothing, confirms } = asked
  const path = pathOf(asked.path, params)
  const isRefused = refused?.path === path
  const state = isRefused ? refused : { ...fresh(values), messages }
  const confirming =
    confirms === undefined || who === null ? nothing : html`${yield* confirmationFields(who, confirms, state)}\n`
  return html`${isRefused ? problemOf(refused) : nothing}
<form${attribute("class", look === "plain" ? undefined : look)} method="post" action="${path}">
${controlsOf(fields, state)}${note}${confirming}<button${attribute("class", kind)} type="submit">${button}</button>
</form>`
})

/** A button that does one thing, with the hidden values that it needs. */
export const button = (
  path: string,
  label: string,
  options: {
    readonly values?: Readonly<Record<string, string>>
    readonly kind?: "pay" | "grave" | "small"
    readonly about?: string
  } = {}
): Html => {
  const { values = {}, kind, about } = options
  // Equal buttons of a list need different names for readers that see one at a time.
  const name = attribute("aria-label", about === undefined ? undefined : `${label}: ${about}`)
  return html`<form class="inline" method="post" action="${path}">${controlsOf(seen(values), fresh())}<button${attribute("class", kind)} type="submit"${name}>${label}</button></form>`
}

/** A form that is not done as it is; the page of the form says why. */
class FormRefused extends Data.TaggedError("FormRefused")<{
  readonly messages: FieldMessages
  readonly problem: string | null
  readonly status: number
}> {}

/** `says`: by the name of the field, or about the form as a whole. */
export const refuse = (says: FieldMessages | Readonly<Record<string, string>> | string, status = 422) => {
  const isWhole = typeof says === "string"
  const messages = isWhole ? new Map() : says instanceof Map ? says : new Map(Object.entries(says))
  return Effect.fail(new FormRefused({ messages, problem: isWhole ? says : null, status }))
}

export interface Submission<May extends Audience> extends Visit<WhoOf<May>> {
  /** The evidence that a guarded use case takes, of a form that `confirms`. A code or a passkey that counted is spent. */
  readonly confirm: ReturnType<ConfirmAction["Service"]["confirm"]>
}

/** `again`: the page of the form. `act` answers with the next page and a sentence on what was done, or fails with what the form is refused for. */
export const submit = <
  May extends Audience,
  F extends Fields,
  Again extends Effect.Effect<Reply, Failure, unknown>,
  Act extends Effect.Effect<Reply, Failure | FormRefused, unknown>
>(
  may: May,
  form: Form<F>,
  again: (visit: Visit<WhoOf<May>>) => Again,
  act: (values: Values<F>, submission: Submission<May>) => Act
): Page<Effect.Services<Again | Act> | ConfirmAction> => {
  const decode = formDecoder(form.whole ?? schemaOf(form.fields))
  const answer = Effect.fnUntraced(function* (visit: Visit<WhoOf<May>>) {
    const { path, form: values } = visit
    const factors = yield* ConfirmAction
    const who: SignedIn | null = visit.who
    const confirm =
      who === null
        ? Effect.fail(new NotConfirmed({ reason: "no_factor" }))
        : confirmation(factors, form.confirms ?? "action", { who, path, form: values })
    const shownAgain = (messages: FieldMessages, status: number, problem: string | null = null, isAsked = false) =>
      Effect.map(again({ ...visit, refused: { path, values, messages, problem, isAsked } }), (reply) =>
        reply._tag === "Page" && reply.status === 200 ? { ...reply, status } : reply
      )
    const decoded = decode(values)
    if (Result.isFailure(decoded)) return yield* shownAgain(decoded.failure, 422)
    return yield* act(decoded.success, { ...visit, confirm }).pipe(
      Effect.catchTags({
        FormRefused: ({ messages, status, problem }) => shownAgain(messages, status, problem),
        NotConfirmed: ({ reason }) =>
          shownAgain(
            new Map([["code", NOT_CONFIRMED[reason]]]),
            403,
            null,
            !values.has("code") && !values.has("assertion")
          )
      })
    )
  })
  // It asks what `again` and `act` ask.
  return action(may, form.path, answer) as Page<Effect.Services<Again | Act> | ConfirmAction>
}

export interface Question {
  readonly section: Section
  readonly title: string
  /** What will be done. */
  readonly says: Html
  /** The title unless said otherwise. */
  readonly heading?: string
  readonly button?: string
  /** The page where nothing is done, and the link to it. */
  readonly back: string
  readonly leave?: string
}

/** What the form asked already is kept. */
export const askPage = <R>(form: Form, questionOf: (visit: Visit<SignedIn>) => Effect.Effect<Question, Failure, R>) =>
  Effect.fnUntraced(function* (visit: Visit<SignedIn>) {
    const {
      section,
      title,
      says,
      heading = title,
      button = title,
      back,
      leave = "Leave it as it is"
    } = yield* questionOf(visit)
    const { refused } = visit
    const asked = refused?.isAsked === true ? { ...refused, messages: new Map() } : refused
    const fields = seen(Object.fromEntries(actionOf(visit.path, visit.form).fields))
    const reply: Reply = show(
      section,
      title,
      html`<h1>${heading}</h1>
${says}
${yield* showForm(form, { ...visit, refused: asked }, { fields, button })}
<p><a href="${back}">${leave}</a></p>`
    )
    return reply
  })
