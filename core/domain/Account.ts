// The human behind the keys: wallet and welcome offer. Orders, keys and subscriptions name their account; it names none.
import type { Millis } from "./DecisionContext.ts"
import type { Wallet } from "./Wallet.ts"

/** Once per account: open until an order spends it; an open quote reserves it, and a reservation lapses with its quote. */
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
}

/** Whether `quoteId` may take the welcome offer now: nobody else's open quote has it, and no order has spent it. */
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
