// A top-up of the model that a member pays, and what was told of its one charge.
import type { TopUpId } from "#core/domain/shared/Ids.ts"

interface Told {
  readonly cents: number
  readonly state: "open" | "final" | "won"
}

export interface ModelTopUp {
  readonly id: TopUpId
  readonly account: string
  readonly cents: number
  isPaid: boolean
  /** What was taken of it, or is owed. */
  reversed: number
  readonly reversals: Map<"refund" | "dispute", Told>
}

/** What it is to give back: all that is named of it, once it is paid, and at most what it brought. */
export const dueOf = ({ isPaid, cents, reversals }: ModelTopUp): number => {
  const named = [...reversals.values()].filter(({ state }) => state !== "won")
  const all = named.reduce((sum, one) => sum + one.cents, 0)
  return isPaid ? Math.min(cents, all) : 0
}
