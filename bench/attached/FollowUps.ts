// What each thing that an operator watches makes the bench look up or say. Pure: what is done about it, and when, is elsewhere.
import type { Stream } from "effect"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { formatEur } from "#core/domain/Money.ts"
import { OPERATOR_NAME } from "../service/Operator.ts"

export type Watched = Stream.Success<ReturnType<OperatorClient["watch"]>>

/** Somebody did something: an agent or a human of that account, or one of the operator's people. */
export interface Deed {
  readonly who: "buyer" | "payer" | "operator"
  /** The account, or the operator's name. */
  readonly id: string
  readonly action: string
  readonly answer: string
}

/** Errands of the same name are the same followUp: once is enough. */
export type FollowUp = { readonly name: string; readonly atMs: Millis } & (
  | { readonly does: "quote" | "order" | "wallet" | "webhooks"; readonly id: string }
  | { readonly does: "fulfilment" }
  | { readonly does: "emit"; readonly deed: Deed }
)

const look = (does: "quote" | "order" | "wallet" | "webhooks", id: string, atMs: Millis): FollowUp => {
  return { name: `${does} ${id}`, atMs, does, id }
}

const emit = ({ cursor, atMs }: Watched, deed: Deed): FollowUp => ({ name: `emit ${cursor}`, atMs, does: "emit", deed })

type Of<Tag extends Watched["_tag"]> = Extract<Watched, { readonly _tag: Tag }>

const opened = (one: Of<"QuoteOpened">): ReadonlyArray<FollowUp> => {
  const { quoteId, accountId, totalCents, creditCents, cardCents, atMs } = one
  const answer = `${formatEur(totalCents)}: ${formatEur(creditCents)} credit, ${formatEur(cardCents)} card`
  const deed = { who: "buyer", id: accountId, action: "orders", answer } as const
  return [look("quote", quoteId, atMs), look("wallet", accountId, atMs), emit(one, deed)]
}

const abandoned = (one: Of<"QuoteAbandoned">): ReadonlyArray<FollowUp> => {
  const { quoteId, accountId, by, atMs } = one
  const followUps = [look("quote", quoteId, atMs), look("wallet", accountId, atMs)]
  if (by === "expiry") return followUps
  const who = by === "human" ? "payer" : "buyer"
  return [...followUps, emit(one, { who, id: accountId, action: "gives a quote up", answer: quoteId })]
}

/** The bench itself tells what it does as it does it. */
const acted = (one: Of<"OperatorActed">, quoteOf: (id: string) => string | undefined): ReadonlyArray<FollowUp> => {
  const { record, atMs } = one
  const { actor, action, subject, details } = record
  const [kind = ""] = action.split(".")
  const quoteId = kind === "quote" ? subject : quoteOf(subject)
  const facts = Object.entries(details).flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]))
  const answer = [subject, ...facts].join(", ")
  return [
    ...(quoteId === undefined ? [] : [look("quote", quoteId, atMs)]),
    ...(kind === "account" ? [look("wallet", subject, atMs)] : []),
    ...(kind === "fulfilment" ? [{ name: "fulfilment", atMs, does: "fulfilment" } as const] : []),
    ...(actor === OPERATOR_NAME ? [] : [emit(one, { who: "operator", id: actor, action: `does ${action}`, answer })])
  ]
}

/** `quoteOf` knows the quote of an order or link that was told of. */
export const followUpsOf = (one: Watched, quoteOf: (id: string) => string | undefined): ReadonlyArray<FollowUp> => {
  const { atMs } = one
  switch (one._tag) {
    case "QuoteOpened":
      return opened(one)
    case "QuoteAbandoned":
      return abandoned(one)
    case "OrderEvent": {
      const { orderId, accountId } = one
      return [look("order", orderId, atMs), look("wallet", accountId, atMs), look("webhooks", accountId, atMs)]
    }
    case "WalletCredited":
      return [look("wallet", one.entry.accountId, atMs)]
    case "OperatorActed":
      return acted(one, quoteOf)
  }
}
