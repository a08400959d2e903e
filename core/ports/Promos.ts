// Reads promotion codes. They are defined, reserved and spent through the order book.
import { Context, type Effect } from "effect"
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { Promo } from "#core/domain/Promo.ts"
import type { StoreUnavailable } from "./PortErrors.ts"

export interface PromoSummary extends Omit<Promo, "redeemedBy" | "reservations"> {
  /** Reserved by open quotes. */
  readonly reserved: number
}

export interface PromoPage {
  /** By code. */
  readonly promos: ReadonlyArray<PromoSummary>
  readonly nextAfterCode: string | null
}

export class Promos extends Context.Service<
  Promos,
  {
    readonly page: (query: {
      readonly limit: number
      readonly afterCode: string | null
      readonly nowMs: Millis
    }) => Effect.Effect<PromoPage, StoreUnavailable>
  }
>()("backlinks/ports/Promos") {}
