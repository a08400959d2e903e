// Which web pages may call the MCP server from a browser (contract §8). Programs send no Origin and are not concerned. This
// is what keeps a foreign page from talking to a server on the user's own machine.

export interface OriginPolicy {
  /** The service's own address. */
  readonly publicUrl: string
  readonly allowed: ReadonlyArray<string>
  /** The address that is listened on. */
  readonly host: string
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/

/** The origin as a browser spells it; `undefined` for whatever is not spelled so, such as `null`. */
const parse = (origin: string): URL | undefined => {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  return url?.origin === origin ? url : undefined
}

/** Whether a request with this Origin header may come in. */
export const originFilter = ({ publicUrl, allowed, host }: OriginPolicy): ((origin: string) => boolean) => {
  const listed = new Set([publicUrl, ...allowed].map((url) => new URL(url).origin))
  const local = LOOPBACK.test(host)
  return (origin) => {
    const url = parse(origin)
    return url !== undefined && (listed.has(url.origin) || (local && LOOPBACK.test(url.hostname)))
  }
}
