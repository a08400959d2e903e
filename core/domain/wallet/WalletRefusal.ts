// Refusals of a movement of prepaid credit.
import { Schema } from "effect"
import { AccountId } from "../shared/Ids.ts"
import type { TopUpAmountInvalid, TopUpNotFound } from "./TopUp.ts"

/** An adjustment may not take what open quotes hold. */
export class BalanceTooLow extends Schema.TaggedError<BalanceTooLow>()("BalanceTooLow", {
  accountId: AccountId,
  cents: Schema.Int,
  availableCents: Schema.Int
}) {}

/** A movement of another amount was booked under this reference. */
export class ReferenceReused extends Schema.TaggedError<ReferenceReused>()("ReferenceReused", {
  reference: Schema.String,
  bookedCents: Schema.Int
}) {}

export type WalletRefusal = BalanceTooLow | ReferenceReused | TopUpAmountInvalid | TopUpNotFound
