// A form, once for all pages: said as data, shown on its page, decoded when it is sent, refused beside its fields with what was typed, or
// done, with a sentence on the next page.
import { Effect, Result, type Schema } from "effect"
import type { HttpRouter } from "effect/http"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { Asks } from "#core/domain/members/Confirmation.ts"
import { NotConfirmed } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import {
  type Answer,
  type Audience,
  action,
  type Page,
  type PageReply,
  page,
  type Reply,
  type Section,
  type ShownPage,
  type Steps,
  titled,
  type Visit,
  type WhoOf
} from "../Page.ts"
import { actionOf, type Confirms, confirmation, confirmationFields } from "./Confirmation.ts"
import { faultsInWords } from "./FaultWords.ts"
import {
  attribute,
  controlsOf,
  type Fields,
  type FormState,
  fresh,
  type Refused,
  schemaOf,
  seen,
  typedFields,
  type Values
} from "./Fields.ts"
import { type FieldMessages, fieldsDecoder } from "./FormBody.ts"
import { FormRefused, failureOf, unconfirmed, unreadable, type Why } from "./Refusal.ts"

export interface Form<F extends Fields = Fields, C extends Confirms | undefined = Confirms | undefined> {
  /** The route that it is sent to. Parameters in it have the values that they have in the path of the page. */
  readonly path: HttpRouter.PathInput
  readonly fields: F
  /** Instead of the fields' own schemas, where one depends on another. */
  readonly whole?: Schema.ConstraintDecoder<Values<F>>
  /** On a page that asks, its title unless said otherwise. */
  readonly button?: string
  readonly kind?: "pay" | "grave"
  /** `wide` unless said otherwise. */
  readonly look?: "wide" | "plain" | "inline" | "card pad"
  /** Said between the fields and the button. */
  readonly note?: Html
  readonly confirms?: C
  /** The confirmation is asked for once the form was sent and wants one, because many of its kind want none. */
  readonly confirmsLater?: boolean
  /** It only tightens, so that a session by mail may send it. */
  readonly tightens?: boolean
  /** It bears a file. */
  readonly uploads?: true
}

/** What its route asks for. */
export const asksOf = (may: Audience, { confirms, confirmsLater, tightens }: Omit<Form, "fields" | "whole">): Asks => {
  if (confirms !== undefined) return confirmsLater ? "loosening" : "action"
  return tightens || may === "anyone" ? "nothing" : "session"
}

export const form = <F extends Fields, const C extends Confirms | undefined = undefined>(
  asked: Form<F, C>
): Form<F, C> => asked

/** The address of a route with these parameters. */
export const pathOf = (route: string, params: Readonly<Record<string, string | undefined>>): string =>
  route.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ""))

/** What a button looks like, by what it does. */
const BUTTONS = { pay: "btn main", grave: "btn danger", small: "btn sm" } as const

const buttonClass = (kind: keyof typeof BUTTONS | undefined): Html =>
  attribute("class", kind === undefined ? undefined : BUTTONS[kind])

interface ShowOptions {
  /** What is in it before it is sent. */
  readonly values?: Readonly<Record<string, string>>
  /** What is wrong with these values. */
  readonly messages?: FieldMessages
  /** Instead of the form's own, where they depend on what the page shows. */
  readonly fields?: Fields
  readonly button?: string
  /** Buttons and controls elsewhere on the page belong to it by this. */
  readonly id?: string
  /** What stands beside its button. */
  readonly beside?: Html
}

/** What a form shows: these values, or, if it was refused, what was typed and why. */
export const stateOf = (
  asked: Pick<Form, "path">,
  { params, refused }: Pick<Visit<unknown>, "params" | "refused">,
  { values = {}, messages = new Map() }: Pick<ShowOptions, "values" | "messages"> = {}
): FormState => {
  if (refused === null || refused.path !== pathOf(asked.path, params)) return { ...fresh(values), messages }
  const shown = new URLSearchParams(refused.values)
  for (const name of refused.renewed ?? []) shown.set(name, values[name] ?? "")
  return { ...refused, values: shown }
}

export const showForm = Effect.fnUntraced(function* (
  asked: Form,
  visit: Visit<SignedIn | null>,
  { fields = asked.fields, button = asked.button ?? "Save", id, beside, ...options }: ShowOptions = {}
) {
  const { who, params } = visit
  const { look = "wide", kind, note = nothing, confirms, confirmsLater = false, uploads } = asked
  const path = pathOf(asked.path, params)
  const state = stateOf(asked, visit, options)
  const isDue = !confirmsLater || state.messages.has("code")
  const isRefused = visit.refused?.path === path && !visit.refused.isAsked && state.messages.size === 1
  const { length: count } = typedFields(fields)
  const confirming =
    confirms === undefined || who === null || !isDue
      ? { asks: nothing, after: nothing }
      : yield* confirmationFields(who, confirms, { ...state, saidFirst: isRefused && count === 0 })
  const pressed = html`<button${buttonClass(kind)} type="submit">${button}</button>`
  return html`<form${attribute("id", id)}${attribute("class", look === "plain" ? undefined : look)} method="post" action="${path}"${attribute("enctype", uploads ? "multipart/form-data" : undefined)}>
${controlsOf(fields, { ...state, saidFirst: isRefused && count === 1 && confirming.asks === nothing })}${note}${confirming.asks}${beside === undefined ? pressed : html`<div class="row">${pressed}${beside}</div>`}${confirming.after}
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
  return html`<form class="inline" method="post" action="${path}">${controlsOf(seen(values), fresh())}<button${buttonClass(kind)} type="submit"${name}>${label}</button></form>`
}

/** `says`: by the name of the field, or about the form as a whole. */
export const refuse = (says: FieldMessages | Readonly<Record<string, string>> | string, status = 422) => {
  const isWhole = typeof says === "string"
  const messages = isWhole ? new Map() : says instanceof Map ? says : new Map(Object.entries(says))
  return Effect.fail(new FormRefused({ messages, problem: isWhole ? says : null, status }))
}

interface Submission<May extends Audience, C extends Confirms | undefined> extends Visit<WhoOf<May>> {
  /** The evidence that a guarded use case takes, of a form that `confirms`. A code or a passkey that counted is spent. */
  readonly confirm: C extends Confirms ? ReturnType<ConfirmAction["Service"]["confirm"]> : undefined
}

/**
 * The target of a form. `on`: the page on which it stands, and is shown again if it is refused. `act` answers with the next page and a
 * sentence on what was done.
 */
export const submit = <
  May extends Audience,
  F extends Fields,
  C extends Confirms | undefined,
  R,
  S extends Effect.Effect<unknown, Failure | FormRefused, unknown> = never
>(
  may: May,
  asked: Form<F, C>,
  on: ShownPage<R>,
  act: (values: Values<F>, submission: Submission<May, C>) => Steps<S, Answer>
): Page<R | Effect.Services<S> | ConfirmAction> => {
  const { path: route, fields, whole = schemaOf(fields), confirms, uploads } = asked
  const decode = fieldsDecoder(whole)
  const typed = typedFields(fields)
  const answer = function* (visit: Visit<WhoOf<May>>) {
    const { path, form: values } = visit
    const who: SignedIn | null = visit.who
    const factors = yield* ConfirmAction
    const confirm =
      who === null || confirms === undefined
        ? Effect.fail(new NotConfirmed({ reason: "no_factor" }))
        : confirmation(factors, confirms, { who, path, form: values })
    const again = (why: Why, status: number) => {
      const isAsked = status === 403 && !values.has("code") && !values.has("assertion")
      const refused: Refused = { path, values, ...why, isAsked }
      // The page is for those who may send its form.
      return Effect.map(on.answer({ ...visit, refused } as Visit<SignedIn>), (reply) =>
        reply._tag === "Page" && reply.status === 200 ? { refused, ...reply, status } : reply
      )
    }
    const decoded = decode(values)
    if (Result.isFailure(decoded)) return yield* again(unreadable(fields, decoded.failure), 422)
    // A form that confirms nothing has no `confirm` by its type.
    const steps = act(decoded.success, { ...visit, confirm } as Submission<May, C>)
    // The steps may fail with these, and what they ask is in the type of the page.
    const acted: Effect.Effect<Reply, Failure | FormRefused> = Effect.gen(() => steps) as never
    const reply = yield* acted.pipe(
      Effect.catchTags({
        FormRefused: ({ status, messages, problem }) =>
          again({ messages: faultsInWords(messages, values), problem }, status),
        NotConfirmed: ({ reason }) => again(unconfirmed(reason, values), 403)
      }),
      Effect.catch((failure) => {
        const why = typed.length === 0 ? null : failureOf(failure)
        return why === null ? Effect.fail(failure) : Effect.catch(again(why, why.status), () => Effect.fail(failure))
      })
    )
    return reply._tag === "Page" ? { section: on.section, ...reply } : reply
  }
  // The type above says what it asks; a page that is shown again is one that was refused.
  return { ...action(may, route, answer as never, asksOf(may, asked)), ...(uploads && { uploads }), typed } as never
}

export interface Question extends Pick<PageReply, "heading" | "help"> {
  readonly title: string
  /** What will be done. */
  readonly says: Html
  /** The page where nothing is done, and the link to it. */
  readonly back: string
  readonly leave?: string
}

/** A page that asks before a form is done, which keeps what was said already: the page of a form that has no room for a confirmation. */
export const askPage = <
  May extends Exclude<Audience, "anyone">,
  S extends Effect.Effect<unknown, Failure, unknown> = never
>(
  may: May,
  asked: Form,
  section: Section,
  questionOf: (visit: Visit<SignedIn>) => Steps<S, Question>
): ShownPage<Effect.Services<S> | ConfirmAction> =>
  page(may, asked.path, { section }, function* (visit: Visit<SignedIn>) {
    // What it asks is in the type of the page.
    const question: Effect.Effect<Question, Failure> = Effect.gen(() => questionOf(visit)) as never
    const { title, says, back, leave = "Leave it as it is", ...titles } = yield* question
    const refused = visit.refused?.isAsked === true ? { ...visit.refused, messages: new Map() } : visit.refused
    const fields = seen(Object.fromEntries(actionOf(visit.path, visit.form).fields))
    const body = html`${says}
${yield* showForm(asked, { ...visit, refused }, { fields, button: asked.button ?? title })}
<p><a href="${back}">${leave}</a></p>`
    // Its first step is a question, and no error.
    return titled(title, body, { ...titles, ...(visit.refused?.isAsked === true && { refused: null }) })
    // The type above says what it asks.
  }) as never
