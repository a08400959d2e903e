// Splits a net total between prepaid credit and card: credit first, and a card charge of at least the processor's minimum.
import { Result } from "effect"
import type { Cents } from "./Money.ts"

export interface Split {
  readonly creditCents: Cents
  readonly cardCents: Cents
}

export interface BelowMinimum {
  readonly minimumCents: Cents
}

/**
 * Uses credit up to the total. If that leaves a remainder below the minimum, less credit is used and the card pays exactly the
 * minimum. Fails if the total itself is below the minimum and credit does not cover it.
 */
export const splitPayment = (
  totalCents: Cents,
  availableCents: Cents,
  minimumCents: Cents
): Result.Result<Split, BelowMinimum> => {
  if (availableCents >= totalCents) return Result.succeed({ creditCents: totalCents, cardCents: 0 })
  if (totalCents < minimumCents) return Result.fail({ minimumCents })
  const cardCents = Math.max(totalCents - availableCents, minimumCents)
  return Result.succeed({ creditCents: totalCents - cardCents, cardCents })
}
