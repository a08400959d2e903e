// The operator's people: assign links to sites' editors, bring them online, verify, cancel, take money in. All of it over the
// operator plane.
import { Effect } from "effect"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import { canMove, type Stage } from "#core/domain/Link.ts"
import { formatEur } from "#core/domain/Money.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import { Operator } from "../service/Operator.ts"
import { Actors, refused, type StepResult, toResult } from "./Actors.ts"

export type LinkAtWork = Effect.Success<ReturnType<OperatorClient["assign"]>>

/** Links can be sent anywhere before `published`; the last two are calls of their own. */
const send = (operator: OperatorClient, { linkId, domain }: Pick<LinkAtWork, "linkId" | "domain">, to: Stage) => {
  switch (to) {
    case "assigned":
      return operator.assign({ linkId })
    case "published":
      return operator.publish({ linkId, url: `https://${domain}/${linkId.slice(-8)}` })
    case "verified":
      return operator.verify({ linkId })
    default:
      return operator.advance({ linkId, to })
  }
}

const placed = ({ domain, status }: LinkAtWork): string => `the link on ${domain} is ${status}`

export const makePublisher = Effect.fnUntraced(function* (actorId: string) {
  const { run, serialised } = yield* Actors
  const operator = yield* Operator

  /** No link left that can go there is an answer, too. */
  const movable = (orderId: string, to: Stage) =>
    Effect.map(operator.showOrder({ orderId }), ({ links }) => links.filter(({ status }) => canMove(status, to)))

  const move = (link: LinkAtWork, to: Stage): Effect.Effect<StepResult<LinkAtWork>> =>
    run({
      actorId,
      action: `moves a link on ${link.domain} to ${to}`,
      call: toResult(send(operator, link, to)),
      say: placed
    })

  return {
    move,
    /** The next link of the order that can go there. */
    moveNext: (orderId: string, to: Stage): Effect.Effect<StepResult<LinkAtWork>> =>
      Effect.flatMap(serialised(toResult(movable(orderId, to))), (answer) => {
        if (!answer.ok) return Effect.succeed(answer)
        const [first] = answer.body
        return first === undefined
          ? Effect.succeed(refused("nothing_to_do", `No link of the order can go to ${to}.`))
          : move(first, to)
      }),
    /** Every link of the order that can go there. */
    moveAll: Effect.fnUntraced(function* (orderId: string, to: Stage): Effect.fn.Return<StepResult<number>> {
      const answer = yield* serialised(toResult(movable(orderId, to)))
      if (!answer.ok) return answer
      for (const link of answer.body) {
        const moved = yield* move(link, to)
        if (!moved.ok) return moved
      }
      return { ok: true, body: answer.body.length }
    }),
    cancelNext: (orderId: string): Effect.Effect<StepResult<LinkAtWork>> =>
      run({
        actorId,
        action: "cancels one link",
        call: toResult(
          Effect.flatMap(movable(orderId, "published"), ([first]) =>
            operator.cancelLink({ linkId: first?.linkId ?? orderId, reason: "The site's editor declined it." })
          )
        ),
        say: (link) => `${placed(link)}, ${formatEur(link.netCents)} go back`
      }),
    cancelOrder: (orderId: string) =>
      run({
        actorId,
        action: "cancels what is not online of the order",
        call: toResult(operator.cancelOrder({ orderId, reason: "The customer asked for it." })),
        say: ({ status }) => `the order is ${status}`
      }),
    topUp: (accountId: string, cents: number, reference: string) =>
      run({
        actorId,
        action: `books a deposit of ${formatEur(cents)}`,
        call: toResult(operator.topUp({ accountId, cents, reference })),
        say: ({ balanceAfterCents }) => `the balance is ${formatEur(balanceAfterCents)}`
      }),
    switchFulfilment: (fulfilment: Fulfilment) =>
      run({
        actorId,
        action: `switches fulfilment to ${fulfilment}`,
        call: toResult(operator.switchFulfilment({ fulfilment })),
        say: () => `Plancton links of new orders are assigned ${fulfilment === "auto" ? "at once" : "by hand"}`
      }),
    /** The oldest links to work on. */
    queue: (limit: number) => serialised(toResult(Effect.map(operator.queue({ limit }), ({ links }) => links)))
  }
})

export type Publisher = Effect.Success<ReturnType<typeof makePublisher>>
