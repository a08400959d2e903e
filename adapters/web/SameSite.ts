// Whether a form was sent by one of the service's own pages: other sites may not act in the name of the signed-in member.

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])

/** The spellings of loopback are one origin, because links for people use `localhost` and the service may listen on 127.0.0.1. */
const originOf = (text: string): string | null => {
  const url = URL.parse(text)
  if (url === null) return null
  const host = LOOPBACK.has(url.hostname) ? "loopback" : url.hostname
  return `${url.protocol}//${host}:${url.port}`
}

type Headers = Readonly<Record<string, string | undefined>>

/**
 * Browsers send `Sec-Fetch-Site` where they trust the connection; where it is absent, as over plain http, `Origin` tells. A request without
 * either comes from no browser's form and is refused.
 */
export const isFromOwnPage = (headers: Headers, publicUrl: string): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin"
  const origin = headers["origin"]
  return origin !== undefined && originOf(origin) !== null && originOf(origin) === originOf(publicUrl)
}
