// What a scenario is made of: who takes part, what they do one after the other, and what must come of it. Data alone; `Player`
// plays it.
import type { EventType } from "#core/domain/Event.ts"
import type { Stage } from "#core/domain/Link.ts"
import type { Cents } from "#core/domain/Money.ts"
import type { Shelf } from "#core/domain/Shelf.ts"

/** An account, its agent and its human. */
export interface Member {
  readonly name: string
  readonly via: "rest" | "mcp"
  readonly mode: "live" | "sandbox"
  readonly creditCents: Cents
  /** Whether its agent subscribes to events. */
  readonly webhook: boolean
  /** Quotes a day; `null` leaves it to the shop, 0 is no cap. */
  readonly dailyOrderCap: number | null
}

/** How many links on each shelf. */
export type Basket = Partial<Readonly<Record<Shelf, number>>>

/** What the answer to an order must say. */
export type Gets =
  | {
      readonly status: "paid" | "awaiting_payment"
      readonly creditCents?: Cents
      readonly cardCents?: Cents
      readonly discount?: "promo" | "welcome" | "none"
    }
  | { readonly refused: string }

/** `who` is a member's name; `as` is what an order is called from then on. */
export type Step =
  | { readonly does: "search"; readonly who: string; readonly shelf: Shelf }
  | {
      readonly does: "order"
      readonly who: string
      readonly as: string
      readonly buys: Basket
      readonly promo?: string
      readonly gets: Gets
    }
  /** The very request of that order again, or another basket with its key. */
  | { readonly does: "repeat"; readonly as: string; readonly buys?: Basket; readonly gets: Gets | "the same" }
  | { readonly does: "open page"; readonly as: string }
  /** On the page as it was last opened, or on one opened now. */
  | { readonly does: "press"; readonly as: string; readonly button: "pay" | "abandon" }
  | { readonly does: "give up"; readonly as: string }
  | { readonly does: "advance sandbox"; readonly as: string; readonly to: "drafted" | "published" | "verified" }
  | { readonly does: "fulfil"; readonly as: string; readonly to: Stage; readonly links: "next" | "all" }
  | { readonly does: "cancel"; readonly as: string; readonly links: "next" | "all" }
  | { readonly does: "top up"; readonly who: string; readonly cents: Cents }
  | { readonly does: "set receiver"; readonly works: boolean }
  | { readonly does: "set processor"; readonly up: boolean }
  | { readonly does: "wait"; readonly minutes: number }
  | { readonly does: "balance"; readonly who: string; readonly availableCents: Cents; readonly heldCents: Cents }
  | {
      readonly does: "quote"
      readonly as: string
      readonly status: "awaiting_payment" | "paid" | "abandoned"
      readonly creditedCents?: Cents
    }
  | { readonly does: "order status"; readonly as: string; readonly status: string }
  /** Verified and answered with 200, each event counted once. */
  | { readonly does: "heard"; readonly who: string; readonly event: EventType; readonly times: number }
  /** Many at once, each for itself, until so many orders were placed; `Infinity` never ends. */
  | { readonly does: "crowd"; readonly actors: number; readonly orders: number }

export interface Scenario {
  readonly name: string
  readonly title: string
  /** What to look at while it plays, in a few sentences. */
  readonly watch: string
  readonly cast: ReadonlyArray<Member>
  readonly steps: ReadonlyArray<Step>
}
