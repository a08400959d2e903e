// A customer: contact, wallet and welcome offer. Orders, keys and subscriptions refer to their account by id.
import { Schema } from "effect"
import { Cents } from "../pricing/Money.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, QuoteId } from "../shared/Ids.ts"
import { Wallet } from "../wallet/Wallet.ts"

/** Usable once per account: an open quote reserves it, an order spends it. A reservation expires with its quote. */
export const WelcomeOffer = Schema.Union([
  Schema.Struct({ state: Schema.Literal("available") }),
  Schema.Struct({ state: Schema.Literal("reserved"), quoteId: QuoteId, untilMs: Millis }),
  Schema.Struct({ state: Schema.Literal("spent"), quoteId: QuoteId })
])
export type WelcomeOffer = typeof WelcomeOffer.Type

export const Account = Schema.Struct({
  accountId: AccountId,
  name: Schema.String,
  email: Schema.String,
  wallet: Wallet,
  /** What is missing of refunded or disputed top-ups that were spent: taken from the next credit. Absent if nothing. */
  owedCents: Schema.optionalKey(Cents),
  welcome: WelcomeOffer,
  createdAtMs: Millis,
  /** Opened by its first sign-in; by an operator otherwise. */
  selfOpened: Schema.optionalKey(Schema.Literal(true)),
  /** The first payment of a self-opened account, by card or top-up. */
  paidAtMs: Schema.optionalKey(Millis),
  /** Since when no key or connection of the account may order. */
  agentsStoppedAtMs: Schema.optionalKey(Millis),
  closedAtMs: Schema.optionalKey(Millis),
  /** The operator's. */
  note: Schema.optionalKey(Schema.String)
})
export type Account = typeof Account.Type

/** Whether a first sign-in opened the account and no money has come in since: it may be one of many of the same person. */
export const isUnpaid = ({ selfOpened, paidAtMs }: Account): boolean => selfOpened === true && paidAtMs === undefined

/** What the account owes of refunded and disputed top-ups. */
export const owedCentsOf = ({ owedCents = 0 }: Pick<Account, "owedCents">): Cents => owedCents

/** What an owner or an operator changes besides money; replaced as a whole. */
export type AccountState = Pick<
  Account,
  "name" | "selfOpened" | "paidAtMs" | "agentsStoppedAtMs" | "closedAtMs" | "note"
>

/**
 * What spellings of one address have in common: without surrounding blanks, A to Z as a to z. Two accounts never have the same one.
 * Other letters count as they are written, so that every store compares them alike.
 */
export const emailKey = (email: string): string => email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Whether `quoteId` may take the welcome offer now: no order has spent it, and no other open quote reserves it. */
export const welcomeIsFree = (welcome: WelcomeOffer, nowMs: Millis, quoteId?: QuoteId): boolean => {
  switch (welcome.state) {
    case "available":
      return true
    case "reserved":
      return welcome.quoteId === quoteId || welcome.untilMs <= nowMs
    case "spent":
      return false
  }
}
