// How a net total is paid: prepaid credit first, a card only for what is left, and never for less than the processor takes.
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
 * Credit up to the total. Where that would leave the card a remainder below the processor's minimum, less credit is used so
 * that the card pays exactly the minimum; a total below the minimum that credit does not cover cannot be paid at all.
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
