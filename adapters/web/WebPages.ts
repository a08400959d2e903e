// Every page of the member area: its routes as data, and the layer that serves them.
import { Effect, Layer } from "effect"
import type { LegalPage } from "./LegalPages.ts"
import { type Page, WebSettings } from "./Page.ts"
import { makePageRouter, type PageRouterOptions } from "./PageRouter.ts"
import type { Handlers, PageRoute } from "./PageRoutes.ts"
import { activityHandlers, activityRoutes } from "./pages/ActivityPages.ts"
import { approvalHandlers, approvalRoutes } from "./pages/ApprovalPages.ts"
import { billingPages } from "./pages/BillingPages.ts"
import { cartHandlers, cartRoutes } from "./pages/CartPages.ts"
import { connectionsHandlers, connectionsRoutes } from "./pages/ConnectionsPages.ts"
import { consentHandlers, consentRoutes } from "./pages/ConsentPages.ts"
import { creditHandlers, creditRoutes } from "./pages/CreditPages.ts"
import { factorsHandlers, factorsRoutes } from "./pages/FactorsPages.ts"
import { invoicesHandlers, invoicesRoutes } from "./pages/InvoicesPages.ts"
import { keysHandlers, keysRoutes } from "./pages/KeysPages.ts"
import { mailPages } from "./pages/MailPages.ts"
import { ordersHandlers, ordersRoutes } from "./pages/OrdersPages.ts"
import { overviewHandlers, overviewRoutes } from "./pages/OverviewPages.ts"
import { reviewerPages } from "./pages/ReviewerPages.ts"
import { settingsHandlers, settingsRoutes } from "./pages/SettingsPages.ts"
import { shopHandlers, shopRoutes } from "./pages/ShopPages.ts"
import { signInPages } from "./pages/SignInPages.ts"
import { stopPages } from "./pages/StopPages.ts"
import { topUpHandlers, topUpRoutes } from "./pages/TopUpPages.ts"
import { webhooksHandlers, webhooksRoutes } from "./pages/WebhooksPages.ts"

export const webRoutes: ReadonlyArray<PageRoute> = [
  ...signInPages,
  ...reviewerPages,
  ...Object.values(factorsRoutes),
  ...Object.values(overviewRoutes),
  ...Object.values(ordersRoutes),
  ...Object.values(approvalRoutes),
  ...Object.values(consentRoutes),
  ...Object.values(shopRoutes),
  ...Object.values(cartRoutes),
  ...Object.values(keysRoutes),
  ...Object.values(connectionsRoutes),
  ...stopPages,
  ...Object.values(creditRoutes),
  ...Object.values(topUpRoutes),
  ...Object.values(invoicesRoutes),
  ...Object.values(webhooksRoutes),
  ...mailPages,
  ...Object.values(settingsRoutes),
  ...billingPages,
  ...Object.values(activityRoutes)
]

export interface WebPagesOptions extends PageRouterOptions {
  readonly legal: ReadonlyArray<LegalPage>
  /** Whether assistants can be connected by OAuth. */
  readonly connects: boolean
}

/** Pages whose handlers are made apart from their routes. */
const both = <const Routes extends Readonly<Record<string, PageRoute>>>(
  routes: Routes,
  handlers: Handlers<Routes>
): ReadonlyArray<Page> =>
  // Each handler takes the visit of its route.
  Object.entries(routes).map(([name, route]) => ({ ...route, answer: handlers[name] as never }))

export const layer = (options: WebPagesOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const serve = yield* makePageRouter(options)
      yield* serve(signInPages)
      yield* serve(reviewerPages)
      yield* serve(both(factorsRoutes, yield* factorsHandlers))
      yield* serve(both(overviewRoutes, yield* overviewHandlers))
      yield* serve(both(ordersRoutes, yield* ordersHandlers))
      yield* serve(both(approvalRoutes, yield* approvalHandlers))
      yield* serve(both(consentRoutes, yield* consentHandlers))
      yield* serve(both(shopRoutes, yield* shopHandlers))
      yield* serve(both(cartRoutes, yield* cartHandlers))
      yield* serve(both(keysRoutes, yield* keysHandlers(options.publicUrl)))
      yield* serve(both(connectionsRoutes, yield* connectionsHandlers(options)))
      yield* serve(stopPages)
      yield* serve(both(creditRoutes, yield* creditHandlers))
      yield* serve(both(topUpRoutes, yield* topUpHandlers))
      yield* serve(both(invoicesRoutes, yield* invoicesHandlers))
      yield* serve(both(webhooksRoutes, yield* webhooksHandlers))
      yield* serve(mailPages)
      yield* serve(both(settingsRoutes, yield* settingsHandlers))
      yield* serve(billingPages)
      yield* serve(both(activityRoutes, yield* activityHandlers))
    })
  ).pipe(Layer.provide(Layer.succeed(WebSettings, options)))
