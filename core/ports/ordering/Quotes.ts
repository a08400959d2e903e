// Reads quotes. They are opened, settled and abandoned through the order book.
import { Context, type Effect, Schema } from "effect"
import type { Fingerprint } from "#core/domain/ordering/Idempotency.ts"
import type { PaymentSetAside, SetAsideOpen } from "#core/domain/ordering/PaymentSetAside.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"
import { Cents } from "#core/domain/pricing/Money.ts"
import type { Millis, Mode } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, KeyId, PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface WaitingQuery {
  readonly accountId: AccountId
  readonly mode: Mode
  readonly status: Extract<QuoteStatus, "awaiting_approval" | "awaiting_payment">
  readonly limit: number
  readonly after?: QuoteId | null
  /** Only those for these items. */
  readonly itemsDigest?: string
}

export const OpenCounts = Schema.Struct({
  approvals: Schema.Int,
  /** What those that await approval cost together. */
  approvalCents: Cents,
  payments: Schema.Int,
  /** Those that await approval and hold credit. */
  approvalsHolding: Schema.Int,
  /** The same of those that await payment. */
  paymentsHolding: Schema.Int
})
export type OpenCounts = typeof OpenCounts.Type

export const WaitingCounts = Schema.Struct({ approvals: Schema.Int, payments: Schema.Int })
export type WaitingCounts = typeof WaitingCounts.Type

export class Quotes extends Context.Service<
  Quotes,
  {
    readonly byId: (quoteId: QuoteId) => Effect.Effect<Quote | null, StoreUnavailable>
    /** Those that there are of these ids, in any order. */
    readonly byIds: (quoteIds: ReadonlyArray<QuoteId>) => Effect.Effect<ReadonlyArray<Quote>, StoreUnavailable>
    /** Finds only quotes with a card part: no other has a payment page. */
    readonly byPaymentToken: (token: string) => Effect.Effect<Quote | null, StoreUnavailable>
    /** The quote that an order with this idempotency key replays: of the caller's own, otherwise the oldest of its account and mode. */
    readonly byIdempotencyKey: (
      caller: Pick<Quote, "keyId" | "accountId" | "mode">,
      idempotencyKey: string
    ) => Effect.Effect<Quote | null, StoreUnavailable>
    /** The quote of the latest order of this fingerprint that an API key placed without an idempotency key, under `unkeyedKey`. */
    readonly latestUnkeyed: (query: {
      readonly keyId: KeyId
      readonly fingerprint: Fingerprint
    }) => Effect.Effect<Quote | null, StoreUnavailable>
    /**
     * Open quotes past their expiry without a payment under way, oldest expiry first; of one account and after another quote, if given.
     */
    readonly due: (query: {
      readonly nowMs: Millis
      readonly limit: number
      readonly accountId?: AccountId
      readonly after?: QuoteId | null
    }) => Effect.Effect<ReadonlyArray<QuoteId>, StoreUnavailable>
    /** Open quotes past their expiry that wait for a payment under way, oldest expiry first; after another quote, if given. */
    readonly pending: (query: {
      readonly nowMs: Millis
      readonly limit: number
      readonly after?: QuoteId | null
    }) => Effect.Effect<ReadonlyArray<QuoteId>, StoreUnavailable>
    /** Open quotes of an account in a mode, the last to expire first. */
    readonly open: (query: {
      readonly accountId: AccountId
      readonly mode: Mode
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Quote>, StoreUnavailable>
    /** Quotes of an account in a mode and a state, the first to expire first; after another quote, if given. */
    readonly waiting: (query: WaitingQuery) => Effect.Effect<ReadonlyArray<Quote>, StoreUnavailable>
    /** How many open quotes an account has in a mode. */
    readonly openCounts: (query: {
      readonly accountId: AccountId
      readonly mode: Mode
    }) => Effect.Effect<OpenCounts, StoreUnavailable>
    /** Live quotes that await payment and are without a stored payment link, made before `beforeMs`, oldest first. */
    readonly withoutSession: (query: {
      readonly beforeMs: Millis
      readonly limit: number
      readonly after?: QuoteId | null
    }) => Effect.Effect<ReadonlyArray<QuoteId>, StoreUnavailable>
    /** Quotes that await approval although their key was revoked; of one account and after another quote, if given. By id. */
    readonly ofRevokedKeys: (query: {
      readonly limit: number
      readonly accountId?: AccountId
      readonly after?: QuoteId | null
    }) => Effect.Effect<ReadonlyArray<QuoteId>, StoreUnavailable>
    /** Live quotes that await approval, oldest first. */
    readonly awaitingApproval: (query: {
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Quote>, StoreUnavailable>
    /** How many live quotes await approval. */
    readonly awaitingApprovalCount: Effect.Effect<number, StoreUnavailable>
    /** Live quotes of this account that a person can decide on or pay now: not expired by the store's time, and without a payment under way. */
    readonly waitingCounts: (accountId: AccountId) => Effect.Effect<WaitingCounts, StoreUnavailable>
    /** Payments that do not fit their quote: those without an outcome first, then the newest; or only the named one. */
    readonly setAside: (query: {
      readonly limit: number
      readonly paymentId?: PaymentId
    }) => Effect.Effect<ReadonlyArray<PaymentSetAside>, StoreUnavailable>
    /** One entry for each currency in which payments set aside wait for the operator's decision. */
    readonly setAsideOpen: Effect.Effect<ReadonlyArray<SetAsideOpen>, StoreUnavailable>
    /**
     * The newest quote of this key for the same items that is not abandoned and was made within `SIMILAR_ORDER_WINDOW_MS` before `atMs`:
     * the store's present time, unless another one is given.
     */
    readonly lookAlike: (query: {
      readonly keyId: KeyId
      readonly itemsDigest: string
      readonly atMs?: Millis
    }) => Effect.Effect<QuoteId | null, StoreUnavailable>
  }
>()("backlinks/ports/ordering/Quotes") {}
