// URLs that an order may link to: the core's policy, and that the host is one that somebody registered.
import { Result, Schema } from "effect"
import { getDomain, parse } from "tldts"
import { checkTargetUrl } from "#core/domain/ordering/TargetPolicy.ts"

/** Whether anybody registers names below the host, such as co.uk: it is in the ICANN section of the public suffix list. */
const isPublicSuffix = (host: string): boolean => {
  const { publicSuffix, isIcann } = parse(host, { allowPrivateDomains: false, extractHostname: false })
  return isIcann === true && publicSuffix === host
}

/**
 * The name that somebody registered, which is the host or above it, by the public suffix list with its private section: `me.github.io`. The
 * host itself if it is a suffix.
 */
export const registrableDomain = (host: string): string =>
  getDomain(host, { allowPrivateDomains: true, extractHostname: false }) ?? host

/** Whether mail programs make a link of a part of the text: "https://…", "www.example.com", "example.com", "ada@example.com". */
export const namesAddress = (text: string): boolean =>
  text.includes("://") ||
  text.split(/[^\p{L}\p{M}\p{N}.-]+/u).some((word) => {
    const { domain, isIcann } = parse(word, { allowPrivateDomains: false, extractHostname: false })
    return domain !== null && isIcann === true
  })

/** Why an order may not link to the URL, as a sentence; `undefined` if it may. */
export const targetUrlFault = (url: string): string | undefined => {
  const verdict = checkTargetUrl(url)
  if (Result.isFailure(verdict)) return verdict.failure
  const { hostname } = new URL(url)
  return isPublicSuffix(hostname)
    ? `Must name a host below a public suffix; "${hostname}" is a suffix under which anybody registers names.`
    : undefined
}

/** JSON Schema has no fitting format: `uri` is ASCII only, while target URLs may use any script. */
export const linkable = Schema.makeFilter<string>(targetUrlFault, { toJsonSchema: () => [{}, true] })
