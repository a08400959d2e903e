// What a person at the bench can have done, as data, and the one door through which commands go in and events come out. The
// panes know the bench by this file and by BenchEvent alone; who carries commands out is elsewhere.
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { BenchEvent } from "./BenchEvent.ts"

/** Ids are those of the order, quote or link that is selected on screen; `null` leaves the choice to the bench: the oldest that fits. */
export type Command =
  /** An agent orders one to three links on sites of its choice. */
  | { readonly _tag: "PlaceOrder" }
  /** The same order again with the same idempotency key, as an agent does that never got its answer. */
  | { readonly _tag: "ReplayOrder"; readonly quoteId: string | null }
  /** The human opens the payment page and presses Pay, or the other button. */
  | { readonly _tag: "Pay"; readonly quoteId: string | null }
  | { readonly _tag: "Abandon"; readonly quoteId: string | null }
  /** The next link of that order that can go there. */
  | { readonly _tag: "Assign"; readonly orderId: string | null }
  | { readonly _tag: "Publish"; readonly orderId: string | null }
  /** Every link of that order that is not online yet. */
  | { readonly _tag: "CancelOrder"; readonly orderId: string | null }
  /** 50.00 EUR, into the account of that id or of the agent that orders at a key press. */
  | { readonly _tag: "TopUp"; readonly accountId: string | null }
  | { readonly _tag: "SwitchFulfilment"; readonly to: Fulfilment }
  /** A broken receiver answers 500 to everything. */
  | { readonly _tag: "SetReceiver"; readonly works: boolean }
  /** While it is down, an order that needs a card is refused with 502, and the same order resumes later. */
  | { readonly _tag: "SetProcessor"; readonly up: boolean }
  | { readonly _tag: "SetPaused"; readonly paused: boolean }
  /** While paused: on to the next thing that happens. */
  | { readonly _tag: "Step" }
  /** Virtual seconds per real second; clamped to 1 to 10,000. */
  | { readonly _tag: "SetSpeed"; readonly speed: number }
  | { readonly _tag: "Quit" }

/** What a command came to, in one sentence for the person who pressed the key. `ok` is false where nothing was done. */
export interface CommandResult {
  readonly ok: boolean
  readonly sentence: string
}

export const SLOWEST = 1
export const FASTEST = 10_000
export const SPEEDS = [SLOWEST, 10, 100, 1_000, FASTEST] as const

/** Commands that this bench cannot carry out, each with the reason in a clause, such as "its time is the clock on the wall". */
export type Unavailable = Partial<Readonly<Record<Command["_tag"], string>>>

/**
 * `bench/ui/App.tsx` exports `run: (bench: Bench, signal: AbortSignal) => Promise<void>`. It takes the terminal, draws, and
 * resolves once the person has quit or the signal was given, with the terminal as it was before.
 */
export interface Bench {
  /** Never rejects. Every answer is also told as a `CommandExecuted` event. */
  readonly send: (command: Command) => Promise<CommandResult>
  /** Every event from now on, in order, without waiting for whoever hears it. The answer stops it. */
  readonly subscribe: (hear: (event: BenchEvent) => void) => () => void
  /** Opens the doors: nothing happens before it is called, so that whoever listens misses nothing. Idempotent. */
  readonly start: () => void
  readonly unavailable: Unavailable
}
