// For which target domains accounts have used the welcome offer. A self-opened account gets it only where no other account has spent it, so
// that one person with many addresses does not get it again and again. An offer that an open quote reserves counts against no other account,
// so that no one keeps it from others without paying.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, QuoteId } from "../shared/Ids.ts"
import { hostIsWithin, type OrderItem, type OrderRequest, targetHost } from "./Cart.ts"

export const WelcomeUse = Schema.Struct({
  /** In lower case. */
  domain: Schema.String,
  accountId: AccountId,
  quoteId: QuoteId,
  /** Reserved until then; `null` once an order has spent the offer, 0 once it was given back. */
  untilMs: Schema.NullOr(Millis),
  /** Whether the domain is the registrable one, by the list of its time; missing where it is a host without "www.", as all were before. */
  registrable: Schema.optionalKey(Schema.Boolean)
})
export type WelcomeUse = typeof WelcomeUse.Type

/** One for each account and domain. */
export const welcomeUseId = (domain: string, accountId: AccountId): string => `${domain} ${accountId}`

const withoutWww = (host: string): string => host.replace(/^www\.(?=[^.]+\.)/, "")

/** The domains for which a request takes the offer. */
export interface WelcomeDomains {
  readonly domains: ReadonlyArray<string>
  readonly registrable?: boolean
}

export const welcomeDomainsOf = ({
  items,
  targetDomains
}: Pick<OrderRequest, "items" | "targetDomains">): WelcomeDomains =>
  targetDomains === undefined
    ? { domains: [...new Set(items.map((item) => withoutWww(targetHost(item))))] }
    : { domains: targetDomains, registrable: true }

/**
 * Whether it is a use for this registrable domain. Uses by hosts count for the domain that they are in; a use for a domain above, such as
 * one under which anybody registers names, does not.
 */
export const isUseOf = ({ domain: used, registrable = false }: WelcomeUse, domain: string): boolean =>
  registrable ? used === domain : hostIsWithin(used, domain)

/** Whether the use was for what the item links to. */
export const coversTarget = ({ domain }: WelcomeUse, item: Pick<OrderItem, "targetUrl">): boolean =>
  hostIsWithin(targetHost(item), domain)

/** The first of these domains for which another account has spent the welcome offer. */
export const usedByAnother = (
  uses: Iterable<WelcomeUse>,
  domains: ReadonlyArray<string>,
  accountId: AccountId
): string | undefined => {
  const others = Array.from(uses).filter((use) => use.accountId !== accountId && use.untilMs === null)
  return domains.find((domain) => others.some((use) => isUseOf(use, domain)))
}
