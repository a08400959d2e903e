// Where the links of an account lead.
import { type Books, linkedId } from "#core/decisions/Books.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { hostIsWithin, type LinkTarget, targetHost } from "#core/domain/pricing/Cart.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { rowsWhere } from "./Rows.ts"

/** The links of a mode that are not cancelled. */
const linksOfAccount = ({ links }: Books, accountId: AccountId, mode: Mode): ReadonlyArray<Link> =>
  rowsWhere(links, (link) => link.accountId === accountId && link.mode === mode && link.status !== "cancelled")

/** Those to this domain or a subdomain of it. */
export const linksInto = (books: Books, accountId: AccountId, mode: Mode, domain: string): ReadonlyArray<Link> =>
  linksOfAccount(books, accountId, mode).filter((link) => hostIsWithin(targetHost(link), domain))

/** The targets to which the account has a live link, by `linkedId`. */
export const linkedTargets = (
  books: Books,
  accountId: AccountId,
  targets: ReadonlyArray<LinkTarget>
): ReadonlySet<string> => {
  const sites = new Set(targets.map(({ siteId }) => siteId))
  const onSites = linksOfAccount(books, accountId, "live").filter(({ siteId }) => sites.has(siteId))
  const known = new Set(onSites.map((link) => linkedId(accountId, { siteId: link.siteId, host: targetHost(link) })))
  return new Set(targets.map((target) => linkedId(accountId, target)).filter((id) => known.has(id)))
}
