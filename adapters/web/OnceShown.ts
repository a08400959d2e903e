// The page of a secret that a form has just made. The form leads to it, it shows the secret once, and a reload makes nothing.
import { Effect, Redacted, Schema } from "effect"
import type { HttpRouter } from "effect/http"
import { type Html, html } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ShowOnce } from "#core/usecases/members/ShowOnce.ts"
import { pathOf } from "./form/Form.ts"
import { page, type Section, seeOther, titled, type Visit, WebSettings } from "./Page.ts"

interface OnceShown<S extends Schema.Codec<unknown, unknown>> {
  /** Ends in `/:shown`. */
  readonly path: HttpRouter.PathInput
  readonly section: Section
  readonly title: string
  /** What is shown. */
  readonly secret: S
  readonly body: (secret: S["Type"], settings: WebSettings["Service"]) => Html
  /** What to do if it was not copied. */
  readonly gone: Html
}

/** `page` shows it; `lead` is the answer to the form that made it. */
export const onceShown = <S extends Schema.Codec<unknown, unknown>>({
  path,
  section,
  title,
  secret,
  body,
  gone
}: OnceShown<S>) => {
  const json = Schema.fromJsonString(secret)
  const encode = Schema.encodeSync(json)
  const decode = Schema.decodeUnknownSync(json)
  return {
    page: page("owner", path, { section, title }, function* ({ who, params: { shown = "" } }) {
      const taken = yield* (yield* ShowOnce).take(who, shown)
      if (taken !== null) return body(decode(Redacted.value(taken)), yield* WebSettings)
      return titled(
        title,
        html`<p>It was shown before, or more than ten minutes have passed, and it cannot be shown again.</p>\n${gone}`,
        {
          ...{ section, heading: "This is not shown again", status: 404 }
        }
      )
    }),
    lead: ({ who, params }: Pick<Visit<SignedIn>, "who" | "params">, made: S["Type"]) =>
      ShowOnce.use(({ keep }) =>
        Effect.map(keep(who, Redacted.make(encode(made))), (shown) => seeOther(pathOf(path, { ...params, shown })))
      )
  }
}
