// The operator's people, over the operator plane: assign links, bring them online, verify, cancel, take top-ups.
import { Effect } from "effect"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import { canMove, type Stage } from "#core/domain/ordering/Link.ts"
import { textRevision } from "#core/domain/ordering/LinkChange.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import { type AccountId, LinkId, type OrderId } from "#core/domain/shared/Ids.ts"
import { Operator } from "../service/Operator.ts"
import { Actors, refused, type StepResult, toResult } from "./Actors.ts"

export type WorkLink = Effect.Success<ReturnType<OperatorClient["assign"]>>

/** A link is written by the text that it had when it was read. */
const sendMove = (operator: OperatorClient, link: WorkLink, to: Stage) => {
  const { linkId, domain } = link
  const seen = { linkId, revision: textRevision(link) }
  switch (to) {
    case "assigned":
      return operator.assign(seen)
    case "published":
      return operator.publish({ ...seen, url: `https://${domain}/${linkId.slice(-8)}` })
    case "verified":
      return operator.verify({ linkId })
    default:
      return operator.advance({ ...seen, to })
  }
}

const describeLink = ({ domain, status }: WorkLink): string => `the link on ${domain} is ${status}`

export const makePublisher = Effect.fnUntraced(function* (actorId: string) {
  const { runAs, serialised } = yield* Actors
  const run = runAs(actorId)
  const operator = yield* Operator

  const movable = (orderId: OrderId, to: Stage) =>
    Effect.map(operator.showOrder({ orderId }), ({ links }) => links.filter(({ status }) => canMove(status, to)))

  const move = (link: WorkLink, to: Stage) =>
    run(`moves a link on ${link.domain} to ${to}`, sendMove(operator, link, to), describeLink)

  return {
    move,
    /** The next link of the order that can move to `to`. */
    moveNext: Effect.fnUntraced(function* (orderId: OrderId, to: Stage): Effect.fn.Return<StepResult<WorkLink>> {
      const links = yield* serialised(toResult(movable(orderId, to)))
      if (!links.ok) return links
      const [first] = links.body
      if (first === undefined) return refused("nothing_to_do", `No link of the order can go to ${to}.`)
      return yield* move(first, to)
    }),
    /** Every link of the order that can move to `to`; the result is their number. */
    moveAll: Effect.fnUntraced(function* (orderId: OrderId, to: Stage): Effect.fn.Return<StepResult<number>> {
      const links = yield* serialised(toResult(movable(orderId, to)))
      if (!links.ok) return links
      for (const link of links.body) {
        const moved = yield* move(link, to)
        if (!moved.ok) return moved
      }
      return { ok: true, body: links.body.length }
    }),
    cancelNext: (orderId: OrderId) =>
      run(
        "cancels one link",
        Effect.flatMap(movable(orderId, "published"), ([first]) =>
          operator.cancelLink({
            linkId: first?.linkId ?? LinkId.make(orderId),
            reason: "The site's editor declined it."
          })
        ),
        (link) => `${describeLink(link)}, ${formatEur(link.netCents)} go back`
      ),
    cancelOrder: (orderId: OrderId) =>
      run(
        "cancels what is not online of the order",
        operator.cancelOrder({ orderId, reason: "The customer asked for it." }),
        ({ status }) => `the order is ${status}`
      ),
    topUp: (accountId: AccountId, cents: number, reference: string) =>
      run(
        `books a deposit of ${formatEur(cents)}`,
        operator.topUp({ accountId, cents, reference }),
        ({ entry: { balanceAfterCents } }) => `the balance is ${formatEur(balanceAfterCents)}`
      ),
    switchFulfilment: (fulfilment: Fulfilment) =>
      run(
        `switches fulfilment to ${fulfilment}`,
        operator.switchFulfilment({ fulfilment }),
        () => `Plancton links of new orders are assigned ${fulfilment === "auto" ? "at once" : "by hand"}`
      ),
    /** The oldest links to work on. */
    queue: (limit: number) => serialised(toResult(Effect.map(operator.queue({ limit }), ({ links }) => links)))
  }
})

export type Publisher = Effect.Success<ReturnType<typeof makePublisher>>
