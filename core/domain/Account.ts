// A customer: contact, wallet and welcome offer. Orders, keys and subscriptions refer to their account by id.
import type { Millis } from "./DecisionContext.ts"
import type { Wallet } from "./Wallet.ts"

/** Usable once per account: an open quote reserves it, an order spends it. A reservation lapses with its quote. */
export type WelcomeOffer =
  | { readonly state: "available" }
  | { readonly state: "reserved"; readonly quoteId: string; readonly untilMs: Millis }
  | { readonly state: "spent"; readonly quoteId: string }

export interface Account {
  readonly accountId: string
  readonly name: string
  readonly email: string
  readonly wallet: Wallet
  readonly welcome: WelcomeOffer
  readonly createdAtMs: Millis
  /** Opened by its first sign-in; by an operator otherwise. */
  readonly selfOpened?: true
  /** Of a self-opened account: its first payment by card or top-up. */
  readonly paidAtMs?: Millis
  /** Since when no key or connection of the account may order. */
  readonly agentsStoppedAtMs?: Millis
  readonly closedAtMs?: Millis
  /** The operator's. */
  readonly note?: string
}

/** Whether a first sign-in opened the account and no money has come in since: it may be one of many of the same person. */
export const isUnpaid = ({ selfOpened, paidAtMs }: Account): boolean => selfOpened === true && paidAtMs === undefined

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
export const welcomeIsFree = (welcome: WelcomeOffer, nowMs: Millis, quoteId?: string): boolean => {
  switch (welcome.state) {
    case "available":
      return true
    case "reserved":
      return welcome.quoteId === quoteId || welcome.untilMs <= nowMs
    case "spent":
      return false
  }
}
