// The page of a secret that a form has just made. The form leads to it, a reload shows it again and makes nothing, and it ends once the person
// says that they have kept the secret. The form has an id, by which it leads to the same secret if it is sent again.
import { Effect, Schema } from "effect"
import { type Html, html } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ShowOnce } from "#core/usecases/members/ShowOnce.ts"
import { anyText } from "./form/FieldSchemas.ts"
import { hidden } from "./form/Fields.ts"
import { button, pathOf } from "./form/Form.ts"
import { action, page, type Section, seeOther, titled, type Visit, WebSettings } from "./Page.ts"

interface OnceShown<S extends Schema.Codec<unknown, unknown>> {
  readonly path: `/${string}/:shown`
  readonly section: Section
  readonly title: string
  /** What is shown. */
  readonly secret: S
  readonly body: (secret: S["Type"], settings: WebSettings["Service"]) => Html
  /** What to do if it was not copied. */
  readonly gone: Html
  /** The page that follows, with the parameters of the path. */
  readonly back: string
}

/** The hidden field of a form that makes a secret. */
export const formIdField = { form_id: hidden(Schema.optionalKey(anyText)) }

export interface FormId {
  readonly form_id: string
}

/** The value of that field in a form that is shown. */
export const newFormId = Effect.map(
  ShowOnce.use(({ newId }) => newId),
  (form_id): FormId & Readonly<Record<string, string>> => ({ form_id })
)

/** `pages` show it; `lead` makes it, and is the answer to the form. */
export const onceShown = <S extends Schema.Codec<unknown, unknown>>({
  path,
  section,
  title,
  secret,
  body,
  gone,
  back
}: OnceShown<S>) => {
  const json = Schema.fromJsonString(secret)
  const encode = Schema.encodeSync(json)
  const decode = Schema.decodeUnknownSync(json)
  const keptPath = `${path}/kept` as const
  const shownPage = page("owner", path, { section, title }, function* (visit) {
    const { who, params } = visit
    const found = yield* (yield* ShowOnce).look(who, params["shown"] ?? "")
    if (found === null)
      return titled(
        title,
        html`<p>You said that you have saved it, or more than ten minutes have passed. It cannot be shown again.</p>\n${gone}`,
        { section, heading: "This is not shown again", status: 404 }
      )
    if (found.made === null)
      return titled(title, html`<p>It is being made. Load this page again in a moment.</p>`, {
        ...{ section, heading: "This takes longer than usual" }
      })
    return html`${body(decode(found.made), yield* WebSettings)}
${button(pathOf(keptPath, params), "I have saved it", { kind: "pay" })}
<p class="hint">Until you press it, this page shows it to you alone, for ten minutes at most.</p>`
  })
  const kept = action(
    "owner",
    keptPath,
    function* ({ who, params }) {
      yield* (yield* ShowOnce).end(who, params["shown"] ?? "")
      return seeOther(pathOf(back, params), "It is not shown any more.")
    },
    "nothing"
  )
  return {
    pages: [shownPage, kept],
    /** `make` is given the same random bytes whenever the form is sent, and makes nothing new of bytes that it was given before. */
    lead: <E, R>(
      { who, params, form }: Pick<Visit<SignedIn>, "who" | "params" | "form">,
      make: (entropy: Uint8Array) => Effect.Effect<S["Type"], E, R>
    ) =>
      ShowOnce.use((once) =>
        Effect.map(
          once.make(who, form.get("form_id") ?? "", (entropy) => Effect.map(make(entropy), encode)),
          (shown) => seeOther(pathOf(path, { ...params, shown }))
        )
      )
  }
}
