// Reads promotion codes. They are defined, reserved and spent through the order book.
import { Context, type Effect } from "effect"
import type { Promo } from "#core/domain/pricing/Promo.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface PromoSummary extends Omit<Promo, "redeemedBy" | "reservations"> {
  /** Reserved by open quotes. */
  readonly reserved: number
}

export interface PromoPage {
  /** Codes in their order. */
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
>()("backlinks/ports/pricing/Promos") {}
