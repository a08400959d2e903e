// Which web pages may call the MCP server from a browser; programs send no Origin header. This prevents a foreign page from calling
// a server on the user's own machine.

export interface OriginPolicy {
  /** Public address of the service. */
  readonly publicUrl: string
  readonly allowed: ReadonlyArray<string>
  /** The address that the server listens on. */
  readonly host: string
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/

/** The origin as a URL; `undefined` unless it is spelled as a browser spells it. A page without an origin sends `null`. */
const parse = (origin: string): URL | undefined => {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  return url?.origin === origin ? url : undefined
}

/** Whether a request with this Origin header is allowed. */
export const originFilter = ({ publicUrl, allowed, host }: OriginPolicy): ((origin: string) => boolean) => {
  const listed = new Set([publicUrl, ...allowed].map((url) => new URL(url).origin))
  const local = LOOPBACK.test(host)
  return (origin) => {
    const url = parse(origin)
    return url !== undefined && (listed.has(url.origin) || (local && LOOPBACK.test(url.hostname)))
  }
}
