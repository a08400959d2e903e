// The commands a person gives at the keys, as data, and their results.
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { AccountId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"

/** Ids are those of the order, quote or link selected on screen; with `null` the bench takes the oldest one that fits. */
export type Command =
  /** The interactive customer's agent orders one to three links on random sites. */
  | { readonly _tag: "PlaceOrder" }
  /** The same order again with the same idempotency key. */
  | { readonly _tag: "ReplayOrder"; readonly quoteId: QuoteId | null }
  /** The human opens the payment page and presses Pay, or the other button. */
  | { readonly _tag: "Pay"; readonly quoteId: QuoteId | null }
  | { readonly _tag: "Abandon"; readonly quoteId: QuoteId | null }
  /** The next link of the order that can move to this status. */
  | { readonly _tag: "Assign"; readonly orderId: OrderId | null }
  | { readonly _tag: "Publish"; readonly orderId: OrderId | null }
  /** Every link of the order that is not online yet. */
  | { readonly _tag: "CancelOrder"; readonly orderId: OrderId | null }
  /** 50.00 EUR; `null` is the interactive customer's account. */
  | { readonly _tag: "TopUp"; readonly accountId: AccountId | null }
  | { readonly _tag: "SwitchFulfilment"; readonly to: Fulfilment }
  /** A broken receiver answers 500 to every request. */
  | { readonly _tag: "SetReceiver"; readonly works: boolean }
  /** While the processor is down, an order that needs a card is refused with 502; the same order resumes later. */
  | { readonly _tag: "SetProcessor"; readonly up: boolean }
  | { readonly _tag: "SetPaused"; readonly paused: boolean }
  /** While paused: runs until the next event. */
  | { readonly _tag: "Step" }
  /** Virtual seconds per real second, clamped to `MIN_SPEED` and `MAX_SPEED`. */
  | { readonly _tag: "SetSpeed"; readonly speed: number }
  /** Ends the story that is played, and plays the next one. */
  | { readonly _tag: "NextStory" }
  | { readonly _tag: "Quit" }

/** `ok` is false where nothing was done; `message` is one sentence for the person at the keys. */
export interface CommandResult {
  readonly ok: boolean
  readonly message: string
}

export const done = (message: string): CommandResult => ({ ok: true, message })
export const notDone = (message: string): CommandResult => ({ ok: false, message })

/** Commands that a session cannot execute, each with the reason as a clause, such as "its time is the clock on the wall". */
export type Unavailable = Partial<Readonly<Record<Command["_tag"], string>>>

export const MIN_SPEED = 1
export const MAX_SPEED = 10_000
export const SPEEDS = [MIN_SPEED, 10, 100, 1_000, MAX_SPEED] as const
