// Top-ups that members pay, their refunds and disputes, and agents that are stopped by them, run on books and model.
import { deepStrictEqual } from "node:assert"
import { HashMap, Result } from "effect"
import { stopAgents } from "#core/decisions/members/AccountState.ts"
import { reverseTopUp } from "#core/decisions/wallet/ReverseTopUp.ts"
import { openTopUp, settleTopUp } from "#core/decisions/wallet/TopUps.ts"
import { AccountId, ChargeId, MemberId, PaymentId, ReversalId, TopUpId } from "#core/domain/shared/Ids.ts"
import type { Of } from "./Command.ts"
import type { Model } from "./Model.ts"
import { attempt, type ModelRun, recent } from "./ModelRun.ts"
import { accounts } from "./ModelShop.ts"
import { dueOf, type ModelTopUp } from "./ModelTopUp.ts"

const ownerOf = ({ books }: ModelRun, accountId: string): MemberId =>
  HashMap.toValues(books.members).find((member) => member.accountId === accountId)?.memberId ?? MemberId.make("")

export const begin = (run: ModelRun, { account: n, cents }: Of<"begin top up">): void => {
  const account = accounts[n] ?? ""
  const topUpId = TopUpId.make(`top_${run.model.topUps.length}`)
  const request = { topUpId, accountId: AccountId.make(account), memberId: ownerOf(run, account), cents }
  Result.getOrThrow(attempt(run, openTopUp(request)))
  run.model.topUps.push({ id: topUpId, account, cents, isPaid: false, reversed: 0, reversals: new Map() })
}

/** Whether something is missing by it. */
const follow = (model: Model, topUp: ModelTopUp): boolean => {
  const { account } = topUp
  const change = dueOf(topUp) - topUp.reversed
  topUp.reversed += change
  const owed = model.owed.get(account) ?? 0
  if (change > 0) {
    const taken = Math.min(change, model.available(account))
    model.paidIn.set(account, (model.paidIn.get(account) ?? 0) - taken)
    model.addEntry(account, "adjustment", taken)
    model.owed.set(account, owed + change - taken)
    return taken < change
  }
  const struckOff = Math.min(owed, -change)
  const back = -change - struckOff
  model.owed.set(account, owed - struckOff)
  model.paidIn.set(account, (model.paidIn.get(account) ?? 0) + back)
  model.addEntry(account, "adjustment_reversed", back)
  return false
}

export const payIt = (run: ModelRun, { topUp: n }: Of<"pay top up">): void => {
  const { model } = run
  const topUp = recent(model.topUps, n)
  if (topUp === undefined) return
  const { id, account, cents } = topUp
  const payment = { paymentId: PaymentId.make(`pay ${id}`), quoteId: id, amountCents: cents, currency: "EUR" }
  const { reply } = Result.getOrThrow(attempt(run, settleTopUp(payment)))
  deepStrictEqual(reply.outcome, topUp.isPaid ? "repeated" : "credited")
  if (topUp.isPaid) return
  model.paidIn.set(account, (model.paidIn.get(account) ?? 0) + cents)
  model.addEntry(account, "top_up", cents)
  topUp.isPaid = true
  if (follow(model, topUp)) model.stopped.add(account)
  run.note(`top up: ${topUp.reversals.size > 0 ? "paid after its refund" : "paid"}`)
}

/** One refund and one dispute for each top-up: further notices tell more of them. */
export const reverseIt = (run: ModelRun, command: Of<"refund top up"> | Of<"dispute top up">): void => {
  const { model } = run
  const topUp = recent(model.topUps, command.topUp)
  if (topUp === undefined) return
  const kind = command.do === "refund top up" ? "refund" : "dispute"
  const state = command.do === "refund top up" ? "final" : command.state
  const told = Math.max(1, Math.floor((topUp.cents * command.percent) / 100))
  const known = topUp.reversals.get(kind)
  const now = {
    cents: Math.max(known?.cents ?? 0, told),
    state: known?.state === "open" ? state : (known?.state ?? state)
  }
  const isNew = known?.cents !== now.cents || known.state !== now.state
  topUp.reversals.set(kind, now)
  const owedBefore = model.owed.get(topUp.account) ?? 0
  const isMissing = isNew && follow(model, topUp)
  const begins = known === undefined && kind === "dispute" && state !== "won"
  if (isMissing || begins) model.stopped.add(topUp.account)
  const reversalId = ReversalId.make(kind === "refund" ? `ch_${topUp.id}` : `du_${topUp.id}`)
  const chargeId = ChargeId.make(`ch_${topUp.id}`)
  const notice = { reversalId, chargeId, quoteId: topUp.id, kind, cents: told, state } as const
  const { reply } = Result.getOrThrow(attempt(run, reverseTopUp(notice)))
  deepStrictEqual(reply.outcome, isNew ? "recorded" : "repeated")
  deepStrictEqual([reply.reversal.cents, reply.reversal.state], [now.cents, now.state])
  const owed = model.owed.get(topUp.account) ?? 0
  const effect = owed > owedBefore ? "owed" : owed < owedBefore ? "struck off" : isNew ? "settled" : "repeated"
  run.note(`${kind} of a top up: ${now.state}, ${effect}`)
}

export const resume = (run: ModelRun, { account: n }: Of<"resume agents">): void => {
  const account = accounts[n] ?? ""
  const by = { operator: "olga" }
  Result.getOrThrow(attempt(run, stopAgents({ accountId: AccountId.make(account), stopped: false, by })))
  run.model.stopped.delete(account)
}
