// Steps of the scenarios about orders that wait for their human.
import { Effect, Redacted } from "effect"
import type { OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { QuoteStatus } from "#adapters/contract/ordering/Quotes.ts"
import { Balance } from "#adapters/contract/wallet/Balance.ts"
import { type AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { EventType } from "#core/domain/webhooks/Event.ts"
import { Members } from "#core/ports/members/Members.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { type Buyer, buyer, by, cart, freshKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { BALANCE, call, placedBy, postOrder, QUOTES, read } from "./HttpCalls.ts"

export const operator = { operator: by }

export const statusOf = (who: Buyer, quoteId: string) => read(QuoteStatus, who.key, `${QUOTES}/${quoteId}`)
export const creditOf = (who: Buyer) => read(Balance, who.key, BALANCE)

/** The session of the account's owner. */
const ownerOf = Effect.fnUntraced(function* (accountId: AccountId) {
  const [member] = yield* (yield* Members).ofAccount(accountId)
  const known = member && (yield* (yield* Members).byEmail(member.email))
  if (!known) throw new Error(`${accountId} has no owner`)
  const client = { network: "192.0.2.0/24", userAgent: "A browser of a test", who: null }
  return Redacted.value((yield* (yield* MemberSessions).start(known, "link", client)).token)
})

/** What a browser of the session sends for a form of the member area. */
export const postForm = (session: string, path: string, form: Readonly<Record<string, string>>) =>
  call("POST", path, {
    body: new URLSearchParams(form).toString(),
    headers: {
      cookie: `session=${session}`,
      "sec-fetch-site": "same-origin",
      "content-type": "application/x-www-form-urlencoded"
    }
  })

/** A webhook of these events before the order; where it leads, all deliveries are refused. */
interface Told {
  readonly events: ReadonlyArray<EventType>
  readonly port: number
}

/** An account that is asked for every order, with one order that waits, and its owner in front of the page. */
export const waiting = Effect.fnUntraced(function* (
  wish: Parameters<typeof buyer>[0] = {},
  told?: Told,
  /** Its order, if it is to be another one than for a new article. */
  asked?: OrderRequest
) {
  const { siteId } = yield* listSite()
  const who = yield* buyer({ creditCents: 5_000, ...wish, limits: { approveAboveCents: 0, ...wish?.limits } })
  if (told !== undefined) {
    const { events, port } = told
    yield* who.api.webhooks.createWebhook({ payload: { url: `http://127.0.0.1:${port}/healthz`, events } })
  }
  const body = asked ?? cart([item(siteId)])
  const idempotencyKey = freshKey()
  const answer = yield* postOrder(who.key, body, idempotencyKey)
  const quote = placedBy(answer)
  const quoteId = quote.quote_id ?? QuoteId.make("")
  const repeat = postOrder(who.key, body, idempotencyKey)
  const form = { quote: quoteId, state: "awaiting_approval", total: String(Math.round(quote.total_eur * 100)) }
  const owner = yield* ownerOf(who.accountId)
  return { who, owner, siteId, body, quote, quoteId, form, answer, repeat }
})
