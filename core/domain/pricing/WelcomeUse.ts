// For which target domains accounts have used the welcome offer. A self-opened account gets it only where no other account did, so that
// one person with many addresses does not get it again and again.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, QuoteId } from "../shared/Ids.ts"
import { hostIsWithin, type OrderItem, targetHost } from "./Cart.ts"

export const WelcomeUse = Schema.Struct({
  /** A host in lower case, without the "www." before a domain. */
  domain: Schema.String,
  accountId: AccountId,
  quoteId: QuoteId,
  /** Reserved until then; `null` once an order has spent the offer, 0 once it was given back. */
  untilMs: Schema.NullOr(Millis)
})
export type WelcomeUse = typeof WelcomeUse.Type

/** One for each account and domain. */
export const welcomeUseId = (domain: string, accountId: AccountId): string => `${domain} ${accountId}`

const withoutWww = (host: string): string => host.replace(/^www\.(?=[^.]+\.)/, "")

/** The domains of these hosts, each once. */
export const welcomeDomainsOf = (hosts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(hosts.map(withoutWww))
]

/** The domains that a cart links to, each once. */
export const welcomeDomains = (items: ReadonlyArray<Pick<OrderItem, "targetUrl">>): ReadonlyArray<string> =>
  welcomeDomainsOf(items.map(targetHost))

/** A domain and its subdomains are one, because the owner of one owns the others. */
export const isSameDomain = (one: string, other: string): boolean =>
  hostIsWithin(one, other) || hostIsWithin(other, one)

const isInUse = ({ untilMs }: WelcomeUse, nowMs: Millis): boolean => untilMs === null || untilMs > nowMs

/** The first of these domains for which another account uses the welcome offer, or has used it. */
export const usedByAnother = (
  uses: Iterable<WelcomeUse>,
  domains: ReadonlyArray<string>,
  accountId: AccountId,
  nowMs: Millis
): string | undefined => {
  const others = Array.from(uses).filter((use) => use.accountId !== accountId && isInUse(use, nowMs))
  return domains.find((domain) => others.some((use) => isSameDomain(use.domain, domain)))
}
