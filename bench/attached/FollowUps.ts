// What the bench does after each event of the operator's stream: records to read, and actions to publish. Pure.
import type { Stream } from "effect"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { OPERATOR_NAME } from "../service/Operator.ts"

export type WatchedEvent = Stream.Success<ReturnType<OperatorClient["watch"]>>

/** What an agent or a human of an account did, or one of the operator's people. */
export interface ObservedAction {
  readonly by: "buyer" | "payer" | "operator"
  /** The account's id, or the operator's name. */
  readonly id: string
  readonly action: string
  readonly answer: string
}

/** Of several with the same `name` one is enough. */
export type FollowUp = { readonly name: string; readonly atMs: Millis } & (
  | { readonly kind: "quote" | "order" | "wallet" | "webhooks"; readonly id: string }
  | { readonly kind: "fulfilment" }
  | { readonly kind: "publish"; readonly observed: ObservedAction }
)

const read = (kind: "quote" | "order" | "wallet" | "webhooks", id: string, atMs: Millis): FollowUp => {
  return { name: `${kind} ${id}`, atMs, kind, id }
}

const publish = ({ cursor, atMs }: WatchedEvent, observed: ObservedAction): FollowUp => {
  return { name: `publish ${cursor}`, atMs, kind: "publish", observed }
}

type WatchedOf<Tag extends WatchedEvent["_tag"]> = Extract<WatchedEvent, { readonly _tag: Tag }>

const quoteOpened = (event: WatchedOf<"QuoteOpened">): ReadonlyArray<FollowUp> => {
  const { quoteId, accountId, totalCents, creditCents, cardCents, atMs } = event
  const answer = `${formatEur(totalCents)}: ${formatEur(creditCents)} credit, ${formatEur(cardCents)} card`
  const observed = { by: "buyer", id: accountId, action: "orders", answer } as const
  return [read("quote", quoteId, atMs), read("wallet", accountId, atMs), publish(event, observed)]
}

const quoteAbandoned = (event: WatchedOf<"QuoteAbandoned">): ReadonlyArray<FollowUp> => {
  const { quoteId, accountId, by, atMs } = event
  const reads = [read("quote", quoteId, atMs), read("wallet", accountId, atMs)]
  if (by === "expiry") return reads
  const actor = by === "human" ? "payer" : "buyer"
  return [...reads, publish(event, { by: actor, id: accountId, action: "abandons a quote", answer: quoteId })]
}

/** The bench's own actions are published when it takes them. */
const operatorActed = (
  event: WatchedOf<"OperatorActed">,
  quoteOf: (id: string) => string | undefined
): ReadonlyArray<FollowUp> => {
  const { record, atMs } = event
  const { actor, action, subject, details } = record
  const [kind = ""] = action.split(".")
  const quoteId = kind === "quote" ? subject : quoteOf(subject)
  const facts = Object.entries(details).flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]))
  const observed = {
    by: "operator",
    id: actor,
    action: `does ${action}`,
    answer: [subject, ...facts].join(", ")
  } as const
  return [
    ...(quoteId === undefined ? [] : [read("quote", quoteId, atMs)]),
    ...(kind === "account" ? [read("wallet", subject, atMs)] : []),
    ...(kind === "fulfilment" ? [{ name: "fulfilment", atMs, kind: "fulfilment" } as const] : []),
    ...(actor === OPERATOR_NAME ? [] : [publish(event, observed)])
  ]
}

/** `quoteOf` returns the quote of an order or a link. */
export const followUpsOf = (
  event: WatchedEvent,
  quoteOf: (id: string) => string | undefined
): ReadonlyArray<FollowUp> => {
  const { atMs } = event
  switch (event._tag) {
    case "QuoteOpened":
      return quoteOpened(event)
    case "QuoteAbandoned":
      return quoteAbandoned(event)
    case "OrderEvent": {
      const { orderId, accountId } = event
      return [read("order", orderId, atMs), read("wallet", accountId, atMs), read("webhooks", accountId, atMs)]
    }
    case "WalletCredited":
      return [read("wallet", event.entry.accountId, atMs)]
    case "OperatorActed":
      return operatorActed(event, quoteOf)
  }
}
