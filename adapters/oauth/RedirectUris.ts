// Where the answer to a request for authorization may be sent: https, this machine's own loopback, or a scheme that an application of
// this machine has claimed.

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Schemes that mean the same on every machine, or run what the URI holds; an application cannot claim them. */
const COMMON_SCHEMES: ReadonlySet<string> = new Set(
  [
    ...["about", "blob", "data", "filesystem", "file", "javascript", "jar", "vbscript", "view-source"],
    ...["chrome", "chrome-extension", "moz-extension", "resource", "intent", "content", "ms-msdt", "search-ms"],
    ...["ftp", "ftps", "sftp", "ws", "wss", "gopher", "ldap", "ldaps", "nntp", "news", "irc", "ircs", "rtsp", "smb"],
    ...["mailto", "tel", "sms", "sip", "sips", "xmpp", "ssh", "telnet", "git", "urn", "tag", "cid", "mid", "magnet"]
  ].map((scheme) => `${scheme}:`)
)

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
  if (url.protocol === "http:" || COMMON_SCHEMES.has(url.protocol)) {
    return "must be https, http of the local machine (localhost, 127.0.0.1 or [::1]), or a scheme of an application"
  }
  return undefined
}

/** How a person would name the place: a host, or the application that claims a scheme. */
export const hostOfRedirect = (uri: string): string => {
  const url = URL.parse(uri)
  if (url === null) return uri
  return url.protocol === "https:" || url.protocol === "http:" ? url.host : `${url.protocol}//`
}
