// The human with the card: opens the payment link as a browser does and presses one of the page's two buttons.
import { Effect } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { Actors, Refused, type StepResult } from "./Actors.ts"

export type Button = "pay" | "abandon"

const decodeEntities = (html: string): string =>
  html.replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')

/** The text of the page's heading. */
const headingOf = (page: string): string => {
  const inner = /<h1[^>]*>(.*?)<\/h1>/s.exec(page)?.[1] ?? ""
  return decodeEntities(inner.replace(/<[^>]+>/g, ""))
    .replace(/\s+/g, " ")
    .trim()
}

/** Where the button's form sends to; `undefined` where the page has no such button. */
const formOf = (page: string, button: Button): string | undefined =>
  [...page.matchAll(/<form[^>]*\baction="([^"]+)"/g)]
    .map(([, action = ""]) => decodeEntities(action))
    .find((action) => action.endsWith(`/${button}`))

/** A page as it was when it was opened. */
export interface OpenPage {
  readonly url: string
  readonly html: string
}

export const makePayer = Effect.fnUntraced(function* (actorId: string) {
  const run = (yield* Actors).runAs(actorId)
  const http = yield* HttpClient.HttpClient

  const fetchHtml = (request: HttpClientRequest.HttpClientRequest) =>
    http.execute(request).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (html) => ({ status: response.status, html }))),
      Effect.mapError(({ message }) => new Refused({ code: "no_answer", message })),
      Effect.flatMap(({ status, html }) =>
        status === 200
          ? Effect.succeed(html)
          : Effect.fail(new Refused({ code: `http_${status}`, message: headingOf(html) }))
      )
    )

  return {
    open: (url: string): Effect.Effect<StepResult<OpenPage>> =>
      run(
        "opens the payment page",
        Effect.map(fetchHtml(HttpClientRequest.get(url)), (html) => ({ url, html })),
        ({ html }) => `the page says: ${headingOf(html)}`
      ),
    press: (button: Button, { url, html }: OpenPage): Effect.Effect<StepResult<string>> => {
      const action = formOf(html, button)
      const send =
        action === undefined
          ? Effect.fail(new Refused({ code: "no_button", message: `The page does not offer to ${button}.` }))
          : fetchHtml(HttpClientRequest.post(new URL(action, url)))
      return run(`presses the ${button} button`, send, (page) => `the page says: ${headingOf(page)}`)
    }
  }
})

export type Payer = Effect.Success<ReturnType<typeof makePayer>>
