// Every page of the member area: its routes as data, and the layer that serves them.
import { Effect, Layer } from "effect"
import { makePageRouter, type PageRouterOptions } from "./PageRouter.ts"
import type { PageRoute } from "./PageRoutes.ts"
import { creditHandlers, creditRoutes } from "./pages/CreditPages.ts"
import { ordersHandlers, ordersRoutes } from "./pages/OrdersPages.ts"
import { overviewHandlers, overviewRoutes } from "./pages/OverviewPages.ts"
import { settingsHandlers, settingsRoutes } from "./pages/SettingsPages.ts"

export const webRoutes: ReadonlyArray<PageRoute> = [
  ...Object.values(overviewRoutes),
  ...Object.values(ordersRoutes),
  ...Object.values(creditRoutes),
  ...Object.values(settingsRoutes)
]

export const layer = (options: PageRouterOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const serve = yield* makePageRouter(options)
      yield* serve(overviewRoutes, yield* overviewHandlers)
      yield* serve(ordersRoutes, yield* ordersHandlers)
      yield* serve(creditRoutes, yield* creditHandlers)
      yield* serve(settingsRoutes, yield* settingsHandlers)
    })
  )
