// The only way to change money, orders and everything else that the books hold.
import { Context, type Effect } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export class OrderBook extends Context.Service<
  OrderBook,
  {
    /**
     * Loads the books that `reads` names, decides, writes all changes or none, and returns the reply. No other change comes between the
     * books that `decide` saw and the write. `decide` is pure and may run several times, each time with a fresh context. A refusal
     * writes nothing.
     */
    readonly transact: <A, E extends Refusal>(
      reads: Reads,
      decide: Decide<A, E>
    ) => Effect.Effect<A, E | StoreUnavailable>
  }
>()("backlinks/ports/ordering/OrderBook") {}
