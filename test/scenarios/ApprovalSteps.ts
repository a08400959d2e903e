// Steps of the scenarios about orders that wait for their human.
import { Effect } from "effect"
import { Balance } from "#adapters/contract/Balance.ts"
import { QuoteStatus } from "#adapters/contract/Quotes.ts"
import { type Buyer, buyer, by, cart, freshKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { BALANCE, placedBy, postOrder, QUOTES, read } from "./HttpCalls.ts"

export const operator = { operator: by }

export const statusOf = (who: Buyer, quoteId: string) => read(QuoteStatus, who.key, `${QUOTES}/${quoteId}`)
export const creditOf = (who: Buyer) => read(Balance, who.key, BALANCE)

/** An account that is asked for every order, with one order that waits. */
export const waiting = Effect.fnUntraced(function* (wish: Parameters<typeof buyer>[0] = {}) {
  const { siteId } = yield* listSite()
  const who = yield* buyer({ creditCents: 5_000, ...wish, limits: { approveAboveCents: 0, ...wish?.limits } })
  const body = cart([item(siteId)])
  const idempotencyKey = freshKey()
  const answer = yield* postOrder(who.key, body, idempotencyKey)
  const quote = placedBy(answer)
  const repeat = postOrder(who.key, body, idempotencyKey)
  return { who, siteId, body, quote, quoteId: quote.quote_id ?? "", answer, repeat }
})
