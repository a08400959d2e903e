// A browser without script in front of the authorization server: keeps cookies by name and path, and follows no redirect by itself.
import { Effect } from "effect"
import { RunningService } from "#test/scenarios/RunningService.ts"

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  readonly location: string
}

interface Cookie {
  readonly path: string
  readonly text: string
}

const cookieOf = (header: string, path: string): [name: string, Cookie | undefined] => {
  const [pair = "", ...attributes] = header.split(/; */)
  const at = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? path
  const isOver = attributes.some(
    (attribute) => /^expires=Thu, 01 Jan 1970/i.test(attribute) || /^max-age=0$/i.test(attribute)
  )
  return [`${pair.split("=")[0]} ${at}`, isOver ? undefined : { path: at, text: pair }]
}

/** Signed in as a member if a session is given. Each request goes to the service in its own context. */
export const makeBrowser = Effect.fnUntraced(function* (session?: string) {
  const cookies = yield* Effect.sync(() => new Map<string, Cookie>())
  if (session !== undefined) cookies.set("session /", { path: "/", text: `session=${session}` })

  /** `to` is a path, or a URL of the service in any spelling of its host. */
  const send = Effect.fnUntraced(function* (to: string, init: RequestInit = {}) {
    const { url } = yield* RunningService
    const { pathname, search } = new URL(to, url)
    const sent = [...cookies.values()].filter(({ path }) => pathname.startsWith(path)).map(({ text }) => text)
    return yield* Effect.promise(async (): Promise<Answer> => {
      const response = await fetch(new URL(`${pathname}${search}`, url), {
        ...init,
        redirect: "manual",
        headers: { accept: "text/html", cookie: sent.join("; "), ...init.headers }
      })
      for (const header of response.headers.getSetCookie()) {
        const [name, cookie] = cookieOf(header, pathname)
        if (cookie === undefined) cookies.delete(name)
        else cookies.set(name, cookie)
      }
      const { status, headers } = response
      return { status, headers, text: await response.text(), location: headers.get("location") ?? "" }
    })
  })

  return {
    cookies,
    get: (to: string) => send(to),
    /** Sends what a form of the service's own page would send. */
    post: (to: string, form: Readonly<Record<string, string>> = {}, headers: Readonly<Record<string, string>> = {}) =>
      send(to, {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "sec-fetch-site": "same-origin",
          ...headers
        },
        body: new URLSearchParams(form).toString()
      })
  }
})

export type Browser = Effect.Success<ReturnType<typeof makeBrowser>>
