// The one door for everything that moves money or an order.
import { Context, type Effect } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { StoreUnavailable } from "./PortErrors.ts"

export class OrderBook extends Context.Service<
  OrderBook,
  {
    /**
     * Loads what `reads` names, decides, writes all changes or none, and answers the reply. No other change comes between
     * what `decide` saw and what is written. `decide` is pure and may be run again, each time with a fresh moment. A refusal
     * writes nothing.
     */
    readonly transact: <A, E extends Refusal>(
      reads: Reads,
      decide: Decide<A, E>
    ) => Effect.Effect<A, E | StoreUnavailable>
  }
>()("backlinks/ports/OrderBook") {}
