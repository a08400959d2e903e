// The human with the card: opens the payment link in something like a browser and presses one of the two buttons of the page.
// Knows nothing but the link.
import { Effect } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { Actors, refused, type StepResult } from "./Actors.ts"

export type Button = "pay" | "abandon"

const decoded = (html: string): string =>
  html.replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')

/** What is in the first such element, as people read it. */
const textIn = (page: string, element: "h1" | "p"): string => {
  const inner = new RegExp(`<${element}[^>]*>(.*?)</${element}>`, "s").exec(page)?.[1] ?? ""
  return decoded(inner.replace(/<[^>]+>/g, ""))
    .replace(/\s+/g, " ")
    .trim()
}

/** Where the form behind the button sends to; none where the page does not offer it. */
const formOf = (page: string, button: Button): string | undefined =>
  [...page.matchAll(/<form[^>]*\baction="([^"]+)"/g)]
    .map(([, action = ""]) => decoded(action))
    .find((action) => action.endsWith(`/${button}`))

/** A page that was opened; its forms stay as they were, however long it lies there. */
export interface OpenPage {
  readonly url: string
  readonly text: string
}

export const makePayer = Effect.fnUntraced(function* (actorId: string) {
  const { run } = yield* Actors
  const http = yield* HttpClient.HttpClient

  const read = (request: HttpClientRequest.HttpClientRequest) =>
    http.execute(request).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (text) => ({ status: response.status, text }))),
      Effect.map(({ status, text }): StepResult<string> => {
        return status === 200 ? { ok: true, body: text } : refused(`http_${status}`, textIn(text, "h1"))
      }),
      Effect.catch((fault) => Effect.succeed(refused("no_answer", fault.message)))
    )

  return {
    open: (url: string): Effect.Effect<StepResult<OpenPage>> =>
      run({
        actorId,
        action: "opens the payment page",
        call: Effect.map(read(HttpClientRequest.get(url)), (answer): StepResult<OpenPage> => {
          return answer.ok ? { ok: true, body: { url, text: answer.body } } : answer
        }),
        say: ({ text }) => `the page says: ${textIn(text, "h1")}`
      }),
    /** The page answers with what then became of the quote. */
    press: (button: Button, { url, text }: OpenPage): Effect.Effect<StepResult<string>> => {
      const action = formOf(text, button)
      const send =
        action === undefined
          ? Effect.succeed(refused("no_button", `The page does not offer to ${button}.`))
          : read(HttpClientRequest.post(new URL(action, url)))
      return run({
        actorId,
        action: `presses the ${button} button`,
        call: send,
        say: (page) => `the page says: ${textIn(page, "h1")}`
      })
    }
  }
})

export type Payer = Effect.Success<ReturnType<typeof makePayer>>
