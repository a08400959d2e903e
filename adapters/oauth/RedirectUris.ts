// Where the answer to a request for authorization may be sent: https, this machine's own loopback, or a scheme that an application of
// this machine has claimed.

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/**
 * Applications that claimed a scheme without a dot. Other schemes are a domain name of their owner, reversed (RFC 8252, section 7.1):
 * a short one does not say who claims it, and some mean the same on every machine, or run what the URI holds.
 */
const SHORT_SCHEMES: ReadonlySet<string> = new Set([
  "cursor:",
  "vscode:",
  "vscode-insiders:",
  "windsurf:",
  "claude:",
  "zed:"
])

export const isLoopbackRedirect = (uri: string): boolean => {
  const url = URL.parse(uri)
  return url !== null && url.protocol === "http:" && LOOPBACK.has(url.hostname)
}

/** Why a client must not register this URI; `undefined` if it may. */
export const redirectFault = (uri: string): string | undefined => {
  const url = URL.parse(uri)
  if (url === null || /[\s\\\p{Cc}]/u.test(uri)) return "must be absolute URIs"
  if (uri.includes("#")) return "must not have a fragment"
  if (url.username !== "" || url.password !== "") return "must not have a user name or a password"
  if (url.protocol === "https:" || isLoopbackRedirect(uri)) return undefined
  if (SHORT_SCHEMES.has(url.protocol) || url.protocol.includes(".")) return undefined
  return "must be https, http of the local machine (localhost, 127.0.0.1 or [::1]), or a scheme of an application such as com.example.app"
}

/** How a person would name the place: a host, or the application that claims a scheme. */
export const hostOfRedirect = (uri: string): string => {
  const url = URL.parse(uri)
  if (url === null) return uri
  return url.protocol === "https:" || url.protocol === "http:" ? url.host : `${url.protocol}//`
}
