// The commands of the wallet model, as data. They refer to quotes, links and keys by a number modulo the size of the list, so that
// every command applies in every state and a history can be shrunk by removing commands.
import type { Stage } from "#core/domain/ordering/Link.ts"
import type { AbandonedBy } from "#core/domain/ordering/Quote.ts"
import type { Reversal } from "#core/domain/ordering/Reversal.ts"

export interface Order {
  readonly do: "order"
  readonly key: number
  /** Positions in `cartItems`. */
  readonly items: ReadonlyArray<number>
  readonly code: string | null
  readonly idempotencyKey: string | null
  readonly maxTotal: number | null
  readonly sandboxCredit: number | null
  readonly dryRun: boolean
}

export type Command =
  | Order
  /** Repeats an earlier order, unchanged or with a further item. */
  | { readonly do: "repeat"; readonly order: number; readonly changed: boolean }
  | { readonly do: "top up"; readonly account: number; readonly cents: number }
  | { readonly do: "debit"; readonly account: number; readonly cents: number }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "store session"; readonly quote: number; readonly session: number }
  /** A bank debit is under way, or the session ended unpaid: mostly in the quote's own session. */
  | { readonly do: "begin debit"; readonly quote: number; readonly session: number }
  | { readonly do: "end session"; readonly quote: number; readonly session: number }
  | {
      readonly do: "pay"
      readonly quote: number
      /** Two commands for one quote with the same number report the same payment. */
      readonly payment: number
      readonly offBy: number
      readonly currency: string
    }
  | { readonly do: "abandon"; readonly quote: number; readonly by: AbandonedBy }
  | { readonly do: "approve"; readonly quote: number }
  | { readonly do: "decline"; readonly quote: number; readonly word: string }
  | { readonly do: "sweep" }
  | { readonly do: "cancel link"; readonly link: number; readonly published: boolean; readonly refunded: boolean }
  | { readonly do: "cancel order"; readonly order: number; readonly published: boolean; readonly refunded: boolean }
  /** So much of the card's part, in percent, has been refunded in all. */
  | { readonly do: "refund"; readonly quote: number; readonly percent: number }
  | { readonly do: "dispute"; readonly quote: number; readonly percent: number; readonly state: Reversal["state"] }
  | { readonly do: "begin top up"; readonly account: number; readonly cents: number }
  | { readonly do: "pay top up"; readonly topUp: number }
  /** So much of the top-up, in percent, has been refunded in all. */
  | { readonly do: "refund top up"; readonly topUp: number; readonly percent: number }
  | {
      readonly do: "dispute top up"
      readonly topUp: number
      readonly percent: number
      readonly state: Reversal["state"]
    }
  | { readonly do: "resume agents"; readonly account: number }
  | { readonly do: "correct"; readonly link: number; readonly onSite: boolean }
  | {
      readonly do: "change link"
      readonly link: number
      /** The key that placed the order, an owner, or the key of this id. */
      readonly by: string
      readonly target: number
      readonly dryRun: boolean
    }
  | { readonly do: "move link"; readonly link: number; readonly to: Stage; readonly seen: boolean }
  | { readonly do: "advance order"; readonly order: number; readonly to: Stage }
  | { readonly do: "revoke key"; readonly key: number }
  | { readonly do: "switch"; readonly manual: boolean }

export type Of<What extends Command["do"]> = Extract<Command, { readonly do: What }>
