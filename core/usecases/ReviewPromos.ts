// Shows the operator the promotion codes of the shop and how far each is used up.
import { Clock, Context, Effect, Layer } from "effect"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import { type PromoPage, Promos } from "#core/ports/Promos.ts"

export class ReviewPromos extends Context.Service<
  ReviewPromos,
  {
    readonly page: (query: {
      readonly limit: number
      readonly afterCode: string | null
    }) => Effect.Effect<PromoPage, StoreUnavailable>
  }
>()("backlinks/usecases/ReviewPromos") {
  static readonly layer = Layer.effect(
    ReviewPromos,
    Effect.map(Promos, (promos) =>
      ReviewPromos.of({
        page: Effect.fn("ReviewPromos.page")(function* (query) {
          return yield* promos.page({ ...query, nowMs: yield* Clock.currentTimeMillis })
        })
      })
    )
  )
}
