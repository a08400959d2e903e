// A scenario as data: its customers, their steps one after the other, and the expected result of each step.

import type { Stage } from "#core/domain/ordering/Link.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { Shelf } from "#core/domain/pricing/Shelf.ts"
import type { EventType } from "#core/domain/webhooks/Event.ts"

/** An account, its agent and its human. */
export interface CustomerSpec {
  readonly name: string
  readonly via: "rest" | "mcp"
  readonly mode: "live" | "sandbox"
  readonly creditCents: Cents
  /** Whether its agent subscribes to events. */
  readonly webhook: boolean
  /** Quotes a day; `null` takes the shop's cap, 0 is no cap. */
  readonly dailyOrderCap: number | null
  /** Orders over more than this wait for the human's approval; `null`: none. */
  readonly approveAboveCents: Cents | null
}

/** A live customer over REST with neither credit nor webhook, but for what `over` says. */
export const customerSpec = (name: string, over: Partial<CustomerSpec> = {}): CustomerSpec => ({
  name,
  via: "rest",
  mode: "live",
  creditCents: 0,
  webhook: false,
  dailyOrderCap: null,
  approveAboveCents: null,
  ...over
})

export type LinksPerShelf = Partial<Readonly<Record<Shelf, number>>>

/** What the response to an order must say; fields left out may have any value. */
export type Expected =
  | {
      readonly status: "paid" | "awaiting_payment" | "awaiting_approval"
      readonly creditCents?: Cents
      readonly cardCents?: Cents
      readonly discount?: "promo" | "welcome" | "none"
    }
  | { readonly refused: string }

/** `who` is a customer's name; `as` is the name of an order within the scenario. */
export type Step =
  | { readonly does: "search"; readonly who: string; readonly shelf: Shelf }
  | {
      readonly does: "order"
      readonly who: string
      readonly as: string
      readonly buys: LinksPerShelf
      readonly promo?: string
      readonly gets: Expected
    }
  /** The same request again, or other links with its idempotency key. */
  | {
      readonly does: "repeat"
      readonly as: string
      readonly buys?: LinksPerShelf
      readonly gets: Expected | "the same"
    }
  | { readonly does: "open page"; readonly as: string }
  /** On the page as it was opened last; opens it first where it was not. */
  | { readonly does: "press"; readonly as: string; readonly button: "pay" | "abandon" }
  | { readonly does: "abandon"; readonly as: string }
  /** The human signs in by mail, looks at the order and presses a button; `word` is what the agent is told. */
  | { readonly does: "decide"; readonly as: string; readonly button: "approve" | "decline"; readonly word?: string }
  /** The human signs in by mail, asks for a top-up, and presses the button of its payment page `presses` times. */
  | {
      readonly does: "top up"
      readonly who: string
      readonly cents: Cents
      readonly button: "pay" | "abandon"
      readonly presses: number
    }
  | { readonly does: "advance sandbox"; readonly as: string; readonly to: "drafted" | "published" | "verified" }
  | { readonly does: "fulfil"; readonly as: string; readonly to: Stage; readonly links: "next" | "all" }
  | { readonly does: "cancel"; readonly as: string; readonly links: "next" | "all" }
  | { readonly does: "set receiver"; readonly works: boolean }
  | { readonly does: "set processor"; readonly up: boolean }
  | { readonly does: "wait"; readonly minutes: number }
  | { readonly does: "balance"; readonly who: string; readonly availableCents: Cents; readonly heldCents: Cents }
  | {
      readonly does: "quote"
      readonly as: string
      readonly status: "awaiting_approval" | "awaiting_payment" | "paid" | "abandoned"
      readonly declinedReason?: string
      readonly creditedCents?: Cents
    }
  | { readonly does: "order status"; readonly as: string; readonly status: string }
  /** A new chat: another key of `of`'s account, whose agent knows nothing of what was bought before. It is a customer from then on. */
  | { readonly does: "new key"; readonly of: string; readonly who: string }
  /** How many orders the list has, and how many of other keys it says that it leaves out. */
  | {
      readonly does: "list orders"
      readonly who: string
      readonly scope: "key" | "account"
      readonly orders: number
      readonly leftOut: number
    }
  /** Over all orders of the account. */
  | { readonly does: "list overdue"; readonly who: string; readonly links: number }
  /** Another anchor for the first link of the order that is not written yet. */
  | {
      readonly does: "change link"
      readonly who: string
      readonly as: string
      readonly anchor: string
      readonly gets: "changed" | { readonly refused: string }
    }
  /** The agent cancels those links of its order that can be cancelled, and is told of the others. */
  | {
      readonly does: "cancel own"
      readonly as: string
      readonly cancelled: number
      readonly kept: number
      readonly creditedCents: Cents
    }
  /** The agent's webhook, as the service sees it. */
  | { readonly does: "endpoint"; readonly who: string; readonly status: "active" | "failing" | "disabled" }
  /** Enables the agent's webhook again, and asks for what it missed in so many days. */
  | { readonly does: "replay"; readonly who: string; readonly days: number; readonly events: number }
  /** Events that arrived with a right signature and were answered with 200; repetitions count once. */
  | { readonly does: "received"; readonly who: string; readonly event: EventType; readonly times: number }
  /** `actors` random customers at the same time, until `orders` orders are placed; `Infinity` never ends. */
  | { readonly does: "load"; readonly actors: number; readonly orders: number }

export type StepOf<Does extends Step["does"]> = Extract<Step, { readonly does: Does }>

/** A step in which a customer's agent places an order. */
export const order = (who: string, as: string, buys: LinksPerShelf, gets: Expected, promo?: string): Step => ({
  does: "order",
  who,
  as,
  buys,
  gets,
  ...(promo === undefined ? {} : { promo })
})

export interface Scenario {
  readonly name: string
  readonly title: string
  /** What to watch while it runs, in a few sentences. */
  readonly watch: string
  readonly customers: ReadonlyArray<CustomerSpec>
  readonly steps: ReadonlyArray<Step>
}
