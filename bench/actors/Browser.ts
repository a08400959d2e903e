// A browser without script: opens pages, follows redirects, keeps cookies, and sends forms as the page's own site.
import { Effect, Ref } from "effect"
import { type Cookies, FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { Refused } from "./Actors.ts"

/** A page as it was when it was opened. */
export interface OpenPage {
  readonly url: string
  readonly html: string
}

const MAX_REDIRECTS = 3

const decodeEntities = (html: string): string =>
  html.replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')

/** The text of the page's heading. */
export const headingOf = ({ html }: Pick<OpenPage, "html">): string => {
  const inner = /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? ""
  return decodeEntities(inner.replace(/<[^>]+>/g, ""))
    .replace(/\s+/g, " ")
    .trim()
}

/** Where the form whose action ends so sends to; `undefined` where the page has no such form. */
export const formOf = ({ html }: OpenPage, actionEnd: string): string | undefined =>
  [...html.matchAll(/<form[^>]*\baction="([^"]+)"/g)]
    .map(([, action = ""]) => decodeEntities(action))
    .find((action) => action.endsWith(actionEnd))

/** The value of a hidden field; empty where the page has no such field. */
export const hiddenField = ({ html }: OpenPage, name: string): string =>
  decodeEntities(new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "")

/** Where the page's link to a payment leads; `undefined` where it has none. */
export const payLinkOf = ({ html, url }: OpenPage): string | undefined => {
  const href = /<a class="btn main" href="([^"]+)"/.exec(html)?.[1]
  return href === undefined ? undefined : new URL(decodeEntities(href), url).href
}

/** Every page other than one with status 200 is `Refused`, with its heading as the message. */
export const makeBrowser = Effect.gen(function* () {
  const cookies = yield* Ref.make<ReadonlyArray<Cookies.Cookie>>([])
  const http = HttpClient.withCookiesRef(yield* HttpClient.HttpClient, cookies)

  /** The cookies of a redirect count for the page that it leads to. */
  const follow = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
    let { url } = request
    let response = yield* http.execute(request)
    for (let redirects = 0; redirects < MAX_REDIRECTS && response.headers["location"] !== undefined; redirects++) {
      url = new URL(response.headers["location"], url).href
      response = yield* http.execute(HttpClientRequest.get(url))
    }
    return { url, status: response.status, html: yield* response.text }
  })

  const load = (request: HttpClientRequest.HttpClientRequest): Effect.Effect<OpenPage, Refused> =>
    follow(request).pipe(
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Effect.mapError(({ message }) => new Refused({ code: "no_answer", message })),
      Effect.flatMap(({ url, status, html }) =>
        status === 200
          ? Effect.succeed({ url, html })
          : Effect.fail(new Refused({ code: `http_${status}`, message: headingOf({ html }) }))
      )
    )

  return {
    open: (url: string) => load(HttpClientRequest.get(url)),
    send: (page: OpenPage, action: string, fields: Readonly<Record<string, string>> = {}) =>
      load(
        HttpClientRequest.post(new URL(action, page.url).href).pipe(
          HttpClientRequest.setHeader("sec-fetch-site", "same-origin"),
          HttpClientRequest.bodyUrlParams(fields)
        )
      )
  }
})
