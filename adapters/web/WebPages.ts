// Every page of the member area: its routes as data, and the layer that serves them.
import { Effect, Layer } from "effect"
import type { LegalPage } from "./LegalPages.ts"
import { makePageRouter, type PageRouterOptions } from "./PageRouter.ts"
import type { PageRoute } from "./PageRoutes.ts"
import { activityHandlers, activityRoutes } from "./pages/ActivityPages.ts"
import { approvalHandlers, approvalRoutes } from "./pages/ApprovalPages.ts"
import { billingHandlers, billingRoutes } from "./pages/BillingPages.ts"
import { cartHandlers, cartRoutes } from "./pages/CartPages.ts"
import { connectionsHandlers, connectionsRoutes } from "./pages/ConnectionsPages.ts"
import { consentHandlers, consentRoutes } from "./pages/ConsentPages.ts"
import { creditHandlers, creditRoutes } from "./pages/CreditPages.ts"
import { factorsHandlers, factorsRoutes } from "./pages/FactorsPages.ts"
import { invoicesHandlers, invoicesRoutes } from "./pages/InvoicesPages.ts"
import { keysHandlers, keysRoutes } from "./pages/KeysPages.ts"
import { mailHandlers, mailRoutes } from "./pages/MailPages.ts"
import { ordersHandlers, ordersRoutes } from "./pages/OrdersPages.ts"
import { overviewHandlers, overviewRoutes } from "./pages/OverviewPages.ts"
import { reviewerHandlers, reviewerRoutes } from "./pages/ReviewerPages.ts"
import { settingsHandlers, settingsRoutes } from "./pages/SettingsPages.ts"
import { shopHandlers, shopRoutes } from "./pages/ShopPages.ts"
import { signInHandlers, signInRoutes } from "./pages/SignInPages.ts"
import { stopHandlers, stopRoutes } from "./pages/StopPages.ts"
import { topUpHandlers, topUpRoutes } from "./pages/TopUpPages.ts"
import { webhooksHandlers, webhooksRoutes } from "./pages/WebhooksPages.ts"

export const webRoutes: ReadonlyArray<PageRoute> = [
  ...Object.values(signInRoutes),
  ...Object.values(reviewerRoutes),
  ...Object.values(factorsRoutes),
  ...Object.values(overviewRoutes),
  ...Object.values(ordersRoutes),
  ...Object.values(approvalRoutes),
  ...Object.values(consentRoutes),
  ...Object.values(shopRoutes),
  ...Object.values(cartRoutes),
  ...Object.values(keysRoutes),
  ...Object.values(connectionsRoutes),
  ...Object.values(stopRoutes),
  ...Object.values(creditRoutes),
  ...Object.values(topUpRoutes),
  ...Object.values(invoicesRoutes),
  ...Object.values(webhooksRoutes),
  ...Object.values(mailRoutes),
  ...Object.values(settingsRoutes),
  ...Object.values(billingRoutes),
  ...Object.values(activityRoutes)
]

export interface WebPagesOptions extends PageRouterOptions {
  readonly legal: ReadonlyArray<LegalPage>
  /** Whether assistants can be connected by OAuth. */
  readonly connects: boolean
}

export const layer = (options: WebPagesOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const serve = yield* makePageRouter(options)
      yield* serve(signInRoutes, yield* signInHandlers(options.legal))
      yield* serve(reviewerRoutes, yield* reviewerHandlers)
      yield* serve(factorsRoutes, yield* factorsHandlers)
      yield* serve(overviewRoutes, yield* overviewHandlers)
      yield* serve(ordersRoutes, yield* ordersHandlers)
      yield* serve(approvalRoutes, yield* approvalHandlers)
      yield* serve(consentRoutes, yield* consentHandlers)
      yield* serve(shopRoutes, yield* shopHandlers)
      yield* serve(cartRoutes, yield* cartHandlers)
      yield* serve(keysRoutes, yield* keysHandlers(options.publicUrl))
      yield* serve(connectionsRoutes, yield* connectionsHandlers(options))
      yield* serve(stopRoutes, yield* stopHandlers)
      yield* serve(creditRoutes, yield* creditHandlers)
      yield* serve(topUpRoutes, yield* topUpHandlers)
      yield* serve(invoicesRoutes, yield* invoicesHandlers)
      yield* serve(webhooksRoutes, yield* webhooksHandlers)
      yield* serve(mailRoutes, yield* mailHandlers)
      yield* serve(settingsRoutes, yield* settingsHandlers)
      yield* serve(billingRoutes, yield* billingHandlers)
      yield* serve(activityRoutes, yield* activityHandlers)
    })
  )
