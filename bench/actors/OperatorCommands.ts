// What somebody at the keys has the operator do, as a publisher does it: links of the order that is selected, or of the oldest
// that fits; deposits; the switch for Plancton links.
import { Effect } from "effect"
import { canMove, type Stage } from "#core/domain/Link.ts"
import { formatEur } from "#core/domain/Money.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { CommandResult } from "../events/Command.ts"
import type { StepResult } from "./Actors.ts"
import type { Publisher } from "./Publisher.ts"

const TOP_UP_CENTS = 5_000
const QUEUE_PAGE = 200

export const done = (sentence: string): CommandResult => ({ ok: true, sentence })
export const notDone = (sentence: string): CommandResult => ({ ok: false, sentence })

export const told = <A>(answer: StepResult<A>, say: (body: A) => string): CommandResult =>
  answer.ok ? done(say(answer.body)) : notDone(answer.message)

/** `depositId`: no two deposits to one account may have the same reference. */
export const makeOperatorCommands = (publisher: Publisher, depositId: string) => {
  let deposits = 0

  /** The oldest order with a link that can go there. */
  const orderFor = (orderId: string | null, to: Stage): Effect.Effect<StepResult<string | null>> =>
    orderId !== null
      ? Effect.succeed({ ok: true, body: orderId })
      : Effect.map(publisher.queue(QUEUE_PAGE), (queue) =>
          queue.ok ? { ok: true, body: queue.body.find(({ status }) => canMove(status, to))?.orderId ?? null } : queue
        )

  const withOrder = (
    wanted: string | null,
    to: Stage,
    nothing: string,
    run: (orderId: string) => Effect.Effect<CommandResult>
  ): Effect.Effect<CommandResult> =>
    Effect.flatMap(orderFor(wanted, to), (answer) => {
      if (!answer.ok) return Effect.succeed(notDone(answer.message))
      return answer.body === null ? Effect.succeed(notDone(nothing)) : run(answer.body)
    })

  return {
    move: (wanted: string | null, to: Stage): Effect.Effect<CommandResult> =>
      withOrder(wanted, to, `No link waits to be ${to}.`, (orderId) =>
        Effect.map(publisher.moveNext(orderId, to), (answer) =>
          told(answer, ({ domain }) => `The link on ${domain} is ${to}.`)
        )
      ),
    cancel: (wanted: string | null): Effect.Effect<CommandResult> =>
      withOrder(wanted, "published", "No order has a link that can be cancelled.", (orderId) =>
        Effect.map(publisher.cancelOrder(orderId), (answer) =>
          told(answer, ({ status }) => `What was not online is cancelled and paid back; the order is ${status}.`)
        )
      ),
    topUp: (accountId: string): Effect.Effect<CommandResult> =>
      Effect.map(publisher.topUp(accountId, TOP_UP_CENTS, `${depositId} ${++deposits}`), (answer) =>
        told(
          answer,
          ({ balanceAfterCents }) =>
            `${formatEur(TOP_UP_CENTS)} were paid in; the balance is ${formatEur(balanceAfterCents)}.`
        )
      ),
    switchFulfilment: (to: Fulfilment): Effect.Effect<CommandResult> =>
      Effect.map(publisher.switchFulfilment(to), (answer) =>
        told(answer, () => `Plancton links of new orders are assigned ${to === "auto" ? "at once" : "by hand"}.`)
      )
  }
}
