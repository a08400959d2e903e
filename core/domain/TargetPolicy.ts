// Which URLs the service takes from a stranger: those it will call (webhooks) and those it will link to (order items). Only
// what the text itself tells; resolving a name and judging its addresses is done by whoever dials, with `PublicAddress`.
import { Option, Result } from "effect"
import { parseAddress } from "./IpAddress.ts"
import { checkAddress } from "./PublicAddress.ts"
import type { UrlFault } from "./Refusal.ts"

/** What a URL alone can be refused for; the other faults of a webhook URL take a network to find. */
export type UrlTextFault = Exclude<UrlFault, "redirects" | "unreachable">

/** A webhook URL as it will be dialled. `host` is lower-case ASCII without brackets; `literalAddress` is set if it is an IP address. */
export interface CallTarget {
  readonly href: string
  readonly protocol: "http" | "https"
  readonly host: string
  readonly port: number
  readonly literalAddress?: string
}

const MAX_URL_LENGTH = 2048
const DEFAULT_PORTS = { http: 80, https: 443 }
const CALLABLE_PORTS: ReadonlyArray<number> = [443, 8443]

/** Names that mean something on one machine or one network only, or nothing at all. `.example` is let through: docs live there. */
const SPECIAL_USE_NAMES: ReadonlyArray<{ readonly suffix: string; readonly fault: UrlTextFault }> = [
  { suffix: "localhost", fault: "loopback" }, // RFC 6761
  { suffix: "localdomain", fault: "loopback" }, // by custom, in many a hosts file
  { suffix: "local", fault: "private_address" }, // RFC 6762
  { suffix: "internal", fault: "private_address" }, // reserved by ICANN in 2024; cloud metadata answers there
  { suffix: "home.arpa", fault: "private_address" }, // RFC 8375
  { suffix: "alt", fault: "unresolvable" }, // RFC 9476
  { suffix: "onion", fault: "unresolvable" }, // RFC 7686
  { suffix: "invalid", fault: "unresolvable" }, // RFC 6761
  { suffix: "test", fault: "unresolvable" } // RFC 6761
]

// `scheme://` and something, without white space, control characters, backslashes or halves of a surrogate pair. The WHATWG
// parser repairs or drops all of these without a word, so that people and programs would see different hosts in one text.
const plainUrl = /^[a-z]+:\/\/[^/?#\\\s\p{Cc}\p{Cs}][^\\\s\p{Cc}\p{Cs}]*$/iu

// Labels of 1–63 letters, digits, hyphens and underscores, at least two of them, the last not a number; no trailing dot.
const publicName =
  /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/

const parseUrl = (text: string): URL | null => (plainUrl.test(text) ? URL.parse(text) : null)

// On the text, not on the parsed URL, where the empty credentials of `https://@host` and `https://:@host` leave no trace.
const hasCredentials = (text: string): boolean => /^[a-z]+:\/\/[^/?#]*@/i.test(text)

/** What keeps a host name, as the URL parser wrote it, from being one of the public DNS. */
const nameFault = (host: string): UrlTextFault | undefined => {
  const name = host.replace(/\.+$/, "")
  const special = SPECIAL_USE_NAMES.find(({ suffix }) => `.${name}`.endsWith(`.${suffix}`))
  if (special !== undefined) return special.fault
  if (!name.includes(".")) return "private_address" // completed by the resolver with the operator's own domain
  return publicName.test(host) ? undefined : "unresolvable"
}

/**
 * Whether a webhook URL may be called, as far as its text tells: https on port 443 or 8443, no credentials, a public name or
 * address. `insecure` is the development switch, which lets http, any port, and any host pass, but never credentials. Dial
 * what `href` says, not the text given: the two may differ where a host was written in disguise.
 */
export const checkUrl = (
  text: string,
  options: { readonly insecure: boolean }
): Result.Result<CallTarget, UrlTextFault> => {
  const url = parseUrl(text)
  if (url === null) return Result.fail(/^https:\/\//i.test(text) ? "unresolvable" : "not_https")
  const protocol = url.protocol === "https:" ? "https" : "http"
  if (url.protocol !== "https:" && !(options.insecure && url.protocol === "http:")) return Result.fail("not_https")
  if (hasCredentials(text)) return Result.fail("has_credentials")
  const port = url.port === "" ? DEFAULT_PORTS[protocol] : Number(url.port)
  if (!options.insecure && !CALLABLE_PORTS.includes(port)) return Result.fail("port_not_allowed")

  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const target = { href: url.href, protocol, host, port } as const
  if (Option.isNone(parseAddress(host))) {
    const fault = options.insecure ? undefined : nameFault(host)
    return fault === undefined ? Result.succeed(target) : Result.fail(fault)
  }
  const verdict = options.insecure ? Result.void : checkAddress(host)
  return Result.map(verdict, () => ({ ...target, literalAddress: host }))
}

/** In characters, as every other field is counted: some of them are two UTF-16 units. */
const isTooLong = (text: string): boolean => text.length > MAX_URL_LENGTH && [...text].length > MAX_URL_LENGTH

/** Whether an order may link to a URL: absolute http or https, no credentials, a public host name. The failure is a sentence for an agent. */
export const checkTargetUrl = (text: string): Result.Result<void, string> => {
  if (isTooLong(text)) return Result.fail(`Must be at most ${MAX_URL_LENGTH} characters long.`)
  const url = parseUrl(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return Result.fail(
      "Must be an absolute http or https URL such as https://example.com/page, without spaces, backslashes or control characters."
    )
  }
  if (hasCredentials(text)) return Result.fail("Must not contain a user name or a password.")
  const host = url.hostname
  if (host.startsWith("[") || Option.isSome(parseAddress(host))) {
    return Result.fail("Must name a public host; an IP address cannot be linked to.")
  }
  if (nameFault(host) !== undefined) {
    return Result.fail(`Must name a public host; "${host}" does not exist on the public internet.`)
  }
  return Result.void
}
