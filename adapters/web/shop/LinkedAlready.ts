// The links that an account has already where its cart asks for one, and how they stand.
import { Effect } from "effect"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { Quote, QuoteLine } from "#core/domain/ordering/Quote.ts"
import { siteAlreadyLinks } from "#core/domain/ordering/Warning.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
import type { OrderId } from "#core/domain/shared/Ids.ts"
import { ViewLinks } from "#core/usecases/ordering/ViewLinks.ts"

/** How many links in work are looked at. */
const LOOKED_AT = 100

/** `Ordered`: not online yet. `Unknown`: too many are in work to tell. */
export type LinkedAlready =
  | { readonly _tag: "Ordered"; readonly orderId: OrderId }
  | { readonly _tag: "Online" }
  | { readonly _tag: "Unknown" }

/** The warning of a line whose site has such a link. */
export const siteWarningOf = ({ item }: QuoteLine): string => siteAlreadyLinks(item).message

const placeOf = (item: { readonly siteId: number; readonly targetUrl: string }): string =>
  `${item.siteId} ${targetHost(item)}`

/** Each by the place of its line in the cart. A link that is neither cancelled nor in work is online. */
export const linkedAlready = Effect.fnUntraced(function* ({ account: { accountId } }: SignedIn, quote: Quote) {
  const messages = new Set(quote.warnings.map(({ message }) => message))
  const warned = [...quote.lines.entries()].filter(([, line]) => messages.has(siteWarningOf(line)))
  if (warned.length === 0) return new Map<number, LinkedAlready>()
  const { page } = yield* ViewLinks
  const { links, next } = yield* page({ accountId, list: "in_work", limit: LOOKED_AT, after: null })
  const inWork = new Map(links.map(({ link }) => [placeOf(link), link.orderId]))
  return new Map(
    warned.map(([index, { item }]): readonly [number, LinkedAlready] => {
      const orderId = inWork.get(placeOf(item))
      if (orderId !== undefined) return [index, { _tag: "Ordered", orderId }]
      return [index, { _tag: next === null ? "Online" : "Unknown" }]
    })
  )
})
