// Promotion codes: their discount, and whether an account may use one now. An open quote reserves a use, an order spends it; an
// expired reservation does not count.
import { HashSet, Result, Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, QuoteId } from "../shared/Ids.ts"
import { BasisPoints, Cents, percentOf } from "./Money.ts"
import type { PromoFault } from "./PriceRefusal.ts"

export const Reduction = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("percent"), basisPoints: BasisPoints }),
  Schema.Struct({ kind: Schema.Literal("fixed"), cents: Cents })
])
export type Reduction = typeof Reduction.Type

export const PromoReservation = Schema.Struct({
  quoteId: QuoteId,
  accountId: AccountId,
  untilMs: Millis
})
export type PromoReservation = typeof PromoReservation.Type

export const Promo = Schema.Struct({
  /** Upper case; codes ignore case. */
  code: Schema.String,
  reduction: Reduction,
  minimumCents: Schema.NullOr(Cents),
  startsAtMs: Schema.NullOr(Millis),
  endsAtMs: Schema.NullOr(Millis),
  maxRedemptions: Schema.NullOr(Schema.Int),
  oncePerAccount: Schema.Boolean,
  /** Redemptions spent by orders, over all accounts. */
  redeemed: Schema.Int,
  redeemedBy: Schema.HashSet(Schema.String),
  reservations: Schema.Array(PromoReservation)
})
export type Promo = typeof Promo.Type

export const normaliseCode = (code: string): string => code.trim().toUpperCase()

/** The discount on `grossCents`, at most all of it. */
export const reductionCents = (reduction: Reduction, grossCents: Cents): Cents =>
  Math.min(grossCents, reduction.kind === "fixed" ? reduction.cents : percentOf(grossCents, reduction.basisPoints))

export interface PromoUse {
  readonly accountId: AccountId
  readonly grossCents: Cents
  readonly nowMs: Millis
  /** The quote that is to use the code: its own reservation does not count against it, and its terms were checked then. */
  readonly quoteId?: QuoteId
}

const fault = (promo: Promo, use: PromoUse): PromoFault | undefined => {
  const others = promo.reservations.filter(({ quoteId, untilMs }) => quoteId !== use.quoteId && untilMs > use.nowMs)
  // A quote that still has its reservation was made in time: its payment may be told after the code's end.
  const isReserved = promo.reservations.some(({ quoteId }) => quoteId === use.quoteId)
  if (!isReserved && promo.startsAtMs !== null && use.nowMs < promo.startsAtMs) return "not_started"
  if (!isReserved && promo.endsAtMs !== null && use.nowMs >= promo.endsAtMs) return "expired"
  if (
    promo.oncePerAccount &&
    (HashSet.has(promo.redeemedBy, use.accountId) || others.some(({ accountId }) => accountId === use.accountId))
  ) {
    return "already_used"
  }
  if (promo.maxRedemptions !== null && promo.redeemed + others.length >= promo.maxRedemptions) return "exhausted"
  if (!isReserved && promo.minimumCents !== null && use.grossCents < promo.minimumCents) return "minimum_not_met"
  return undefined
}

/** The account's own open quote whose reservation is why the code cannot be used. Quotes of other accounts are never named. */
export const ownReservation = (promo: Promo, use: PromoUse, reason: PromoFault): string | undefined => {
  const spent = reason === "already_used" ? HashSet.has(promo.redeemedBy, use.accountId) : reason !== "exhausted"
  if (spent) return undefined
  return promo.reservations.find(
    ({ accountId, quoteId, untilMs }) => accountId === use.accountId && quoteId !== use.quoteId && untilMs > use.nowMs
  )?.quoteId
}

/** The discount of the code, or why it cannot be used. */
export const usePromo = (promo: Promo | undefined, use: PromoUse): Result.Result<Cents, PromoFault> => {
  if (promo === undefined) return Result.fail("unknown")
  const reason = fault(promo, use)
  return reason === undefined ? Result.succeed(reductionCents(promo.reduction, use.grossCents)) : Result.fail(reason)
}
