// Lists promotion codes and their use, for the operator.
import { Clock, Context, Effect, Layer } from "effect"
import { type PromoPage, Promos } from "#core/ports/pricing/Promos.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

export class ListPromos extends Context.Service<
  ListPromos,
  {
    readonly page: (query: {
      readonly limit: number
      readonly afterCode: string | null
    }) => Effect.Effect<PromoPage, StoreUnavailable>
  }
>()("backlinks/usecases/catalogue/ListPromos") {
  static readonly layer = Layer.effect(
    ListPromos,
    Effect.map(Promos, (promos) =>
      ListPromos.of({
        page: Effect.fn("ListPromos.page")(function* (query) {
          return yield* promos.page({ ...query, nowMs: yield* Clock.currentTimeMillis })
        })
      })
    )
  )
}
