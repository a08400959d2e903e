// The commands that a publisher carries out for the person at the keys: on links of the selected order, or of the oldest that
// fits; top-ups; the switch for Plancton links.
import { Effect } from "effect"
import { canMove, type Stage } from "#core/domain/ordering/Link.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { AccountId, OrderId } from "#core/domain/shared/Ids.ts"
import { type Command, type CommandResult, done, notDone } from "../events/Command.ts"
import type { StepResult } from "./Actors.ts"
import type { Publisher } from "./Publisher.ts"

const TOP_UP_CENTS = 5_000
const QUEUE_PAGE = 200

export const toCommandResult = <A>(result: StepResult<A>, describe: (body: A) => string): CommandResult =>
  result.ok ? done(describe(result.body)) : notDone(result.message)

/** `reference` makes the references of this session's top-ups unique. */
export const makeOperatorCommands = (publisher: Publisher, reference: string) => {
  let deposits = 0

  /** Executes on the order of that id, or on the oldest one with a link that can move to `to`. */
  const withOrder = Effect.fnUntraced(function* (
    orderId: OrderId | null,
    to: Stage,
    nothing: string,
    execute: (orderId: OrderId) => Effect.Effect<CommandResult>
  ) {
    if (orderId !== null) return yield* execute(orderId)
    const queue = yield* publisher.queue(QUEUE_PAGE)
    if (!queue.ok) return notDone(queue.message)
    const oldest = queue.body.find(({ status }) => canMove(status, to))
    return oldest === undefined ? notDone(nothing) : yield* execute(oldest.orderId)
  })

  const move = (orderId: OrderId | null, to: Stage) =>
    withOrder(orderId, to, `No link waits to be ${to}.`, (id) =>
      Effect.map(publisher.moveNext(id, to), (result) =>
        toCommandResult(result, ({ domain }) => `The link on ${domain} is ${to}.`)
      )
    )

  const topUp = (accountId: AccountId) =>
    Effect.map(publisher.topUp(accountId, TOP_UP_CENTS, `${reference} ${++deposits}`), (result) =>
      toCommandResult(
        result,
        ({ entry: { balanceAfterCents } }) =>
          `${formatEur(TOP_UP_CENTS)} were paid in; the balance is ${formatEur(balanceAfterCents)}.`
      )
    )

  /** `defaultAccount` gets a top-up for which no account is selected. */
  return (command: Command, defaultAccount: AccountId | null): Effect.Effect<CommandResult> | undefined => {
    switch (command._tag) {
      case "Assign":
        return move(command.orderId, "assigned")
      case "Publish":
        return move(command.orderId, "published")
      case "CancelOrder":
        return withOrder(command.orderId, "published", "No order has a link that can be cancelled.", (orderId) =>
          Effect.map(publisher.cancelOrder(orderId), (result) =>
            toCommandResult(
              result,
              ({ status }) => `What was not online is cancelled and paid back; the order is ${status}.`
            )
          )
        )
      case "TopUp": {
        const accountId = command.accountId ?? defaultAccount
        return accountId === null
          ? Effect.succeed(notDone("Select an order or a wallet first: the deposit needs an account."))
          : topUp(accountId)
      }
      case "SwitchFulfilment":
        return Effect.map(publisher.switchFulfilment(command.to), (result) =>
          toCommandResult(
            result,
            () => `Plancton links of new orders are assigned ${command.to === "auto" ? "at once" : "by hand"}.`
          )
        )
      default:
        return undefined
    }
  }
}
