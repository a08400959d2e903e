// Refunds and disputes of a quote's payment, run on books and model.
import { deepStrictEqual } from "node:assert"
import { Result } from "effect"
import { recordReversal } from "#core/decisions/ordering/RecordReversal.ts"
import { ReversalId } from "#core/domain/shared/Ids.ts"
import type { Of } from "./Command.ts"
import type { ModelReversal } from "./Model.ts"
import { attempt, type ModelRun, recent } from "./ModelRun.ts"

/** One refund and one dispute for each quote: further notices tell more of them. */
export const reverse = (run: ModelRun, command: Of<"refund"> | Of<"dispute">): void => {
  const { model } = run
  const quote = recent(
    model.live().filter(({ card }) => card > 0),
    command.quote
  )
  if (quote === undefined) return
  const kind = command.do
  const reversalId = ReversalId.make(`${kind} ${quote.id}`)
  const state = command.do === "refund" ? "final" : command.state
  const told = Math.max(1, Math.floor((quote.card * command.percent) / 100))
  const notice = { reversalId, quoteId: quote.id, kind, cents: told, state } as const

  const known = model.reversals.get(reversalId)
  const now: ModelReversal = known ?? { quote, kind, cents: 0, state, takenBack: 0 }
  const before = { ...now }
  now.cents = Math.max(now.cents, told)
  if (now.state === "open") now.state = state
  const back = model.cameBack(quote)
  model.reversals.set(reversalId, now)
  const tooMuch = -model.leftOf(quote, "final")
  const taken = Math.max(0, Math.min(tooMuch, back, model.available(quote.account)))
  now.takenBack += taken
  model.paidIn.set(quote.account, (model.paidIn.get(quote.account) ?? 0) - taken)
  model.addEntry(quote.account, "adjustment", taken)

  const { reply } = Result.getOrThrow(attempt(run, recordReversal(notice)))
  const { cents, takenBack } = now
  const isNew =
    known === undefined || before.cents !== cents || before.state !== now.state || before.takenBack !== takenBack
  deepStrictEqual(reply.outcome, isNew ? "recorded" : "repeated")
  const { cents: recorded, state: recordedState, takenBackCents } = reply.reversal
  deepStrictEqual([recorded, recordedState, takenBackCents], [cents, now.state, takenBack])
  run.note(`${kind}: ${taken > 0 ? "taken back" : quote.status}`)
}
