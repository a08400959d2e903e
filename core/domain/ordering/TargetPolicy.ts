// The policy for URLs in requests: webhook URLs, which the service calls, and target URLs, which it links to. It judges the text alone;
// the adapter that dials checks the resolved addresses with `PublicAddress`.
import { Option, Result } from "effect"
import { checkAddress, parseAddress, type UrlFault } from "../shared/PublicAddress.ts"
import { hiddenCharacterFault, printableAscii, unseenCharacterFault } from "../shared/VisibleText.ts"

/** The faults that show in the text of a URL; the others show only on the network. */
export type UrlTextFault = Exclude<UrlFault, "redirects" | "unreachable">

/** A webhook URL as it is dialled. `host` is lower-case ASCII without brackets; `literalAddress` is set if it is an IP address. */
export interface CallTarget {
  readonly href: string
  readonly protocol: "http" | "https"
  readonly host: string
  readonly port: number
  readonly literalAddress?: string
}

const MAX_URL_LENGTH = 2048
/** RFC 1035, with a dot at the end. */
const MAX_NAME_LENGTH = 254
const DEFAULT_PORTS = { http: 80, https: 443 }
const CALLABLE_PORTS: ReadonlyArray<number> = [443, 8443]

/** Names that resolve on one machine or network only, or nowhere. `.example` is allowed, because documentation uses it. */
const SPECIAL_USE_NAMES: ReadonlyArray<{ readonly suffix: string; readonly fault: UrlTextFault }> = [
  { suffix: "localhost", fault: "loopback" }, // RFC 6761
  { suffix: "localdomain", fault: "loopback" }, // a convention of hosts files
  { suffix: "local", fault: "private_address" }, // RFC 6762
  { suffix: "internal", fault: "private_address" }, // reserved by ICANN in 2024; cloud metadata answers there
  { suffix: "home.arpa", fault: "private_address" }, // RFC 8375
  { suffix: "alt", fault: "unresolvable" }, // RFC 9476
  { suffix: "onion", fault: "unresolvable" }, // RFC 7686
  { suffix: "invalid", fault: "unresolvable" }, // RFC 6761
  { suffix: "test", fault: "unresolvable" } // RFC 6761
]

// `scheme://` and more, without white space, control characters, backslashes or lone surrogates. The WHATWG parser repairs or drops
// these silently, so that a reader and a program would see different hosts in the same text.
const plainUrl = /^[a-z]+:\/\/[^/?#\\\s\p{Cc}\p{Cs}][^\\\s\p{Cc}\p{Cs}]*$/iu

// Labels of 1–63 letters, digits, hyphens and underscores, at least two of them, the last not a number; no trailing dot.
const publicName =
  /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/

const parseUrl = (text: string): URL | null => (plainUrl.test(text) ? URL.parse(text) : null)

// Checks the text, because the parsed URL does not show the empty credentials of `https://@host` and `https://:@host`.
const hasCredentials = (text: string): boolean => /^[a-z]+:\/\/[^/?#]*@/i.test(text)

/** Why a host name, as the URL parser normalised it, cannot be in the public DNS. */
const nameFault = (host: string): UrlTextFault | undefined => {
  // Before any search through it: the name of a URL that fits into a field can be eight times as long.
  if (host.length > MAX_NAME_LENGTH) return "unresolvable"
  const name = host.replace(/\.+$/, "")
  const special = SPECIAL_USE_NAMES.find(({ suffix }) => `.${name}`.endsWith(`.${suffix}`))
  if (special !== undefined) return special.fault
  if (!name.includes(".")) return "private_address" // the resolver appends its search domain
  return publicName.test(host) ? undefined : "unresolvable"
}

/**
 * Whether the text of a webhook URL allows calling it: https on port 443 or 8443, no credentials, a public name or address.
 * `insecure` is the development switch: it allows http, any port and any host, but never credentials. Dial `href`, not the given
 * text: they differ where the host was obfuscated.
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

/** Counts code points, as the limits of all fields do; some take two UTF-16 units. */
const isTooLong = (text: string): boolean => text.length > MAX_URL_LENGTH && [...text].length > MAX_URL_LENGTH

/** The host as it is written, with its port. */
const hostIn = (text: string): string => /:\/\/([^/?#]*)/.exec(text)?.[1] ?? ""

/** Whether people read the name that is looked up: not in other letters, and not percent-encoded, as orders of before may have it. */
const isPlainHost = (host: string): boolean => printableAscii.test(host) && !host.includes("%")

/**
 * The URL with a host in the letters that it names: full-width and circled forms are the plain ones (NFKC), and each ideographic full
 * stop a dot. People see no other host than the one that is linked to.
 */
export const withPlainHost = (text: string): string =>
  text.replace(/(?<=^[a-z]+:\/\/)[^/?#]*/i, (host) =>
    printableAscii.test(host) ? host : host.normalize("NFKC").replaceAll("。", ".")
  )

/**
 * A target as people are shown it: beside a host in other letters, which may look like Latin ones, the name that is looked up
 * (`xn--…`).
 */
export const shownTarget = (url: string): string =>
  isPlainHost(hostIn(url)) ? url : `${url} (${new URL(url).hostname})`

/** The host of a target as people are shown it, without its port. */
export const shownHost = (url: string): string => {
  const { hostname } = new URL(url)
  const written = hostIn(url)
  return isPlainHost(written) ? hostname : `${written.replace(/:\d*$/, "")} (${hostname})`
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

/** The text as browsers show it, with what is percent-encoded in it decoded. */
const shownText = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) =>
    utf8.decode(Uint8Array.from(run.slice(1).split("%"), (byte) => Number.parseInt(byte, 16)))
  )

/** A sentence about a character that is not seen, also where it is percent-encoded: browsers show such a URL decoded. */
const hiddenFault = (text: string): string | undefined =>
  hiddenCharacterFault(text) ?? (text.includes("%") ? unseenCharacterFault(shownText(text)) : undefined)

/**
 * Whether an order may link to a URL: absolute http or https, no credentials, no port 0, a public host name, no character that is not
 * seen. Fails with a sentence for the agent.
 */
export const checkTargetUrl = (text: string): Result.Result<void, string> => {
  if (isTooLong(text)) return Result.fail(`Must be at most ${MAX_URL_LENGTH} characters long.`)
  const hidden = hiddenFault(text)
  if (hidden !== undefined) return Result.fail(hidden)
  const url = parseUrl(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return Result.fail(
      "Must be an absolute http or https URL such as https://example.com/page, without spaces, backslashes or control characters."
    )
  }
  if (hasCredentials(text)) return Result.fail("Must not contain a user name or a password.")
  if (hostIn(text).includes("%")) return Result.fail("Must not percent-encode its host.")
  if (url.port === "0") return Result.fail("Must not name port 0, on which nothing can be reached.")
  const host = url.hostname
  if (host.startsWith("[") || Option.isSome(parseAddress(host))) {
    return Result.fail("Must name a public host; an IP address cannot be linked to.")
  }
  if (host.endsWith(".")) return Result.fail("Must not end its host with a dot.")
  if (nameFault(host) !== undefined) {
    return Result.fail(`Must name a public host; "${host}" does not exist on the public internet.`)
  }
  return Result.void
}
