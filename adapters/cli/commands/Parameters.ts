// Arguments and flags of commands that are more than one call.
import { Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import { Euros } from "#adapters/operator/records/Euros.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"

export const accountArgument = Argument.String("account").pipe(
  Argument.withDescription("Account id, acc_…"),
  Argument.withSchema(Schema.NonEmptyString.pipe(idBrands.AccountId))
)

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 10_000

export const limitFlag = Flag.Int("limit").pipe(
  Flag.withDescription(`Rows to show: default ${DEFAULT_LIMIT}, at most ${MAX_LIMIT}`),
  Flag.withDefault(DEFAULT_LIMIT),
  Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_LIMIT })))
)

export const reasonFlag = Flag.String("reason").pipe(
  Flag.withDescription("Why, for the buyer to read"),
  Flag.withMetavar("TEXT")
)

/** An amount of at least `minCents`. */
export const eurosFlag = (name: string, what: string, minCents: Cents) =>
  Flag.String(name).pipe(Flag.withDescription(what), Flag.withMetavar("EUROS"), Flag.withSchema(Euros(minCents)))

/** A positive integer. */
export const numberFlag = (name: string, what: string) =>
  Flag.Int(name).pipe(Flag.withDescription(what), Flag.withSchema(Schema.Int.check(Schema.isGreaterThan(0))))
