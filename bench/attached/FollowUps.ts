// What the bench does after each event of the operator's stream: records to read, and actions to publish. Pure.
import type { Stream } from "effect"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { AccountId, type OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { OPERATOR_NAME } from "../service/Operator.ts"

export type WatchedEvent = Stream.Success<ReturnType<OperatorClient["watch"]>>

/** What an agent or a human of an account did, or one of the operator's people. */
export type ObservedAction = {
  readonly action: string
  readonly answer: string
} & (
  | { readonly by: "buyer" | "payer"; readonly id: AccountId }
  /** The operator's name. */
  | { readonly by: "operator"; readonly id: Actor }
)

/** A record to read. */
type Reading =
  | { readonly kind: "quote"; readonly id: QuoteId }
  | { readonly kind: "order"; readonly id: OrderId }
  | { readonly kind: "wallet" | "webhooks"; readonly id: AccountId }

/** One of several with the same `name` is enough. */
export type FollowUp = { readonly name: string; readonly atMs: Millis } & (
  | Reading
  | { readonly kind: "fulfilment" }
  | { readonly kind: "publish"; readonly observed: ObservedAction }
)

const read = (reading: Reading, atMs: Millis): FollowUp => {
  return { name: `${reading.kind} ${reading.id}`, atMs, ...reading }
}

const publish = ({ cursor, atMs }: WatchedEvent, observed: ObservedAction): FollowUp => {
  return { name: `publish ${cursor}`, atMs, kind: "publish", observed }
}

type WatchedOf<Tag extends WatchedEvent["_tag"]> = Extract<WatchedEvent, { readonly _tag: Tag }>

const quoteOpened = (event: WatchedOf<"QuoteOpened">): ReadonlyArray<FollowUp> => {
  const { quoteId, accountId, totalCents, creditCents, cardCents, atMs } = event
  const answer = `${formatEur(totalCents)}: ${formatEur(creditCents)} credit, ${formatEur(cardCents)} card`
  const observed = { by: "buyer", id: accountId, action: "orders", answer } as const
  return [
    read({ kind: "quote", id: quoteId }, atMs),
    read({ kind: "wallet", id: accountId }, atMs),
    publish(event, observed)
  ]
}

const quoteAbandoned = (event: WatchedOf<"QuoteAbandoned">): ReadonlyArray<FollowUp> => {
  const { quoteId, accountId, by, atMs } = event
  const reads = [read({ kind: "quote", id: quoteId }, atMs), read({ kind: "wallet", id: accountId }, atMs)]
  if (by === "expiry") return reads
  const actor = by === "human" ? "payer" : "buyer"
  return [...reads, publish(event, { by: actor, id: accountId, action: "abandons a quote", answer: quoteId })]
}

/** The bench's own actions are published when it takes them. */
const operatorActed = (
  event: WatchedOf<"OperatorActed">,
  quoteOf: (id: string) => QuoteId | undefined
): ReadonlyArray<FollowUp> => {
  const { record, atMs } = event
  const { actor, action, subject, details } = record
  const [kind = ""] = action.split(".")
  // The audit log names what was done by its id.
  const quoteId = kind === "quote" ? QuoteId.make(subject) : quoteOf(subject)
  const facts = Object.entries(details).flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]))
  const observed = {
    by: "operator",
    id: actor,
    action: `does ${action}`,
    answer: [subject, ...facts].join(", ")
  } as const
  return [
    ...(quoteId === undefined ? [] : [read({ kind: "quote", id: quoteId }, atMs)]),
    ...(kind === "account" ? [read({ kind: "wallet", id: AccountId.make(subject) }, atMs)] : []),
    ...(kind === "fulfilment" ? [{ name: "fulfilment", atMs, kind: "fulfilment" } as const] : []),
    ...(actor === OPERATOR_NAME ? [] : [publish(event, observed)])
  ]
}

/** `quoteOf` returns the quote of an order or a link. */
export const followUpsOf = (
  event: WatchedEvent,
  quoteOf: (id: string) => QuoteId | undefined
): ReadonlyArray<FollowUp> => {
  const { atMs } = event
  switch (event._tag) {
    case "QuoteOpened":
      return quoteOpened(event)
    case "QuoteAbandoned":
      return quoteAbandoned(event)
    case "OrderEvent": {
      const { orderId, accountId } = event
      return [
        read({ kind: "order", id: orderId }, atMs),
        read({ kind: "wallet", id: accountId }, atMs),
        read({ kind: "webhooks", id: accountId }, atMs)
      ]
    }
    case "WalletCredited":
      return [read({ kind: "wallet", id: event.entry.accountId }, atMs)]
    case "OperatorActed":
      return operatorActed(event, quoteOf)
  }
}
