// Reads quotes. They are opened, settled and given up through the order book.
import { Context, type Effect } from "effect"
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { Quote } from "#core/domain/Quote.ts"
import type { StoreUnavailable } from "./PortErrors.ts"

export class Quotes extends Context.Service<
  Quotes,
  {
    readonly byId: (quoteId: string) => Effect.Effect<Quote | null, StoreUnavailable>
    /** Of which a card pays something: no other has a page that its token opens. */
    readonly byPaymentToken: (token: string) => Effect.Effect<Quote | null, StoreUnavailable>
    /** The quote that an API key's idempotency key is bound to. */
    readonly byIdempotencyKey: (keyId: string, idempotencyKey: string) => Effect.Effect<Quote | null, StoreUnavailable>
    /** Open quotes past their expiry, oldest expiry first; of one account where named, behind another quote where named. */
    readonly due: (query: {
      readonly nowMs: Millis
      readonly limit: number
      readonly accountId?: string
      readonly after?: string | null
    }) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Live open quotes with something to pay whose payment link is still not stored, made before `beforeMs`, oldest first. */
    readonly withoutSession: (query: {
      readonly beforeMs: Millis
      readonly limit: number
      readonly after?: string | null
    }) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** The newest quote of this key for the very same items, made within `SIMILAR_ORDER_WINDOW_MS` of now, and not given up. */
    readonly lookAlike: (query: {
      readonly keyId: string
      readonly itemsDigest: string
      readonly nowMs: Millis
    }) => Effect.Effect<string | null, StoreUnavailable>
  }
>()("backlinks/ports/Quotes") {}
