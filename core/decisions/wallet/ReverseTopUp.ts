// Records a refund or a dispute of a top-up, and takes it from the account's credit as far as it is free; the rest is owed. A dispute that
// is won gives back what it took, once.
import { HashMap, Result } from "effect"
import { PROCESSOR } from "#core/domain/members/Actor.ts"
import type { ReversalNotice } from "#core/domain/ordering/ProcessorNotice.ts"
import { later } from "#core/domain/ordering/Reversal.ts"
import type { ChargeId, TopUpId } from "#core/domain/shared/Ids.ts"
import { type TopUp, TopUpNotFound } from "#core/domain/wallet/TopUp.ts"
import { reversedCentsDue, type TopUpReversal } from "#core/domain/wallet/TopUpReversal.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { stopAllAgents } from "../members/AccountState.ts"
import { returnCredit, takeCredit } from "./OwedCredit.ts"

export interface TopUpReversalNotice extends ReversalNotice<TopUpId> {
  /** The refunded charge, or the disputed one. */
  readonly chargeId: ChargeId
}

const reversalsOf = (books: Books, topUpId: TopUpId): ReadonlyArray<TopUpReversal> =>
  Array.from(HashMap.values(books.topUpReversals)).filter((reversal) => reversal.topUpId === topUpId)

/**
 * Moves the account's credit to what the refunds and disputes of the top-up come to; `reference` names the cause in the ledger. Returns
 * whether something is missing by it.
 */
const followReversals = (draft: Draft, topUpId: TopUpId, reference: string): boolean => {
  const topUp = find(draft.books.topUps, topUpId)
  if (topUp === undefined) return false
  const { reversedCents: before = 0, ...others } = topUp
  const due = reversedCentsDue(topUp, reversalsOf(draft.books, topUpId))
  if (due === before) return false
  draft.record({ _tag: "TopUpSaved", topUp: due === 0 ? others : { ...others, reversedCents: due } })
  const { accountId } = topUp
  if (due > before) return takeCredit(draft, accountId, due - before, reference) > 0
  returnCredit(draft, accountId, before - due, reference)
  return false
}

/** A dispute, and a reversal of what was spent already, stop the account's agents, once. */
const stopFor = (draft: Draft, topUp: TopUp, isMissing: boolean, isDisputed: boolean): void => {
  if (isMissing || isDisputed) stopAllAgents(draft, topUp.accountId, PROCESSOR)
}

/** To be called once a top-up is paid: refunds and disputes may have been reported before. */
export const reverseOncePaid = (draft: Draft, topUp: TopUp, reference: string): void =>
  stopFor(draft, topUp, followReversals(draft, topUp.topUpId, reference), false)

export interface ReversedTopUp {
  readonly reversal: TopUpReversal
  readonly topUp: TopUp
  /** `repeated`: nothing of it was new. */
  readonly outcome: "recorded" | "repeated"
}

/** Idempotent, in any order of notices. Each size and end of a reversal moves money at most once. */
export const reverseTopUp =
  (notice: TopUpReversalNotice): Decide<ReversedTopUp, TopUpNotFound> =>
  (books, context) => {
    const { quoteId: topUpId, reversalId, chargeId, kind, cents, state } = notice
    const topUp = find(books.topUps, topUpId)
    if (topUp === undefined) return Result.fail(new TopUpNotFound({ topUpId }))
    const known = find(books.topUpReversals, reversalId)
    const told: TopUpReversal = { reversalId, topUpId, chargeId, kind, cents, state, atMs: context.nowMs }
    const reversal = later(known, told)
    if (known !== undefined && known.cents === reversal.cents && known.state === reversal.state)
      return Result.succeed(unchanged({ reversal: known, topUp, outcome: "repeated" }))
    const draft = new Draft(books, context)
    draft.record({ _tag: "TopUpReversed", reversal })
    const isMissing = followReversals(draft, topUpId, `${reversalId} ${reversal.state} ${reversal.cents}`)
    stopFor(draft, topUp, isMissing, known === undefined && kind === "dispute" && reversal.state !== "won")
    const after = find(draft.books.topUps, topUpId) ?? topUp
    audit(draft, PROCESSOR, {
      action: `topup.${kind}`,
      subject: topUpId,
      accountId: topUp.accountId,
      details: {
        ...{ reversal: reversalId, state: reversal.state, cents: reversal.cents },
        reversed_cents: after.reversedCents ?? 0,
        owed_cents: find(draft.books.accounts, topUp.accountId)?.owedCents ?? 0
      }
    })
    return Result.succeed(draft.decided({ reversal, topUp: after, outcome: "recorded" }))
  }
