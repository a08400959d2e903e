// All pages of the member area.
import { Effect, Layer } from "effect"
import { helpPages } from "./help/HelpPages.ts"
import { linkListPages } from "./links/LinkLists.ts"
import { type PageRoute, WebSettings } from "./Page.ts"
import { makePageRouter, type PageRouterOptions } from "./PageRouter.ts"
import { approvalPages } from "./pages/ApprovalPages.ts"
import { cancelPages } from "./pages/CancelPages.ts"
import { cartPages } from "./pages/CartPages.ts"
import { connectionsPages } from "./pages/ConnectionsPages.ts"
import { consentPages } from "./pages/ConsentPages.ts"
import { creditPages } from "./pages/CreditPages.ts"
import { invitationPages } from "./pages/InvitationPages.ts"
import { invoicesPages } from "./pages/InvoicesPages.ts"
import { keysPages } from "./pages/KeysPages.ts"
import { linkPages } from "./pages/LinkPages.ts"
import { ordersPages } from "./pages/OrdersPages.ts"
import { overviewPages } from "./pages/OverviewPages.ts"
import { quotesPages } from "./pages/QuotesPages.ts"
import { reviewerPages } from "./pages/ReviewerPages.ts"
import { sheetPages } from "./pages/SheetPages.ts"
import { shopPages } from "./pages/ShopPages.ts"
import { signInPages } from "./pages/SignInPages.ts"
import { stopPages } from "./pages/StopPages.ts"
import { topUpPages } from "./pages/TopUpPages.ts"
import { webhooksPages } from "./pages/WebhooksPages.ts"
import { activityPages } from "./settings/ActivityPages.ts"
import { billingPages } from "./settings/BillingPages.ts"
import { factorsPages } from "./settings/FactorsPages.ts"
import { mailPages } from "./settings/MailPages.ts"
import { settingsPages } from "./settings/SettingsPages.ts"
import { timeZonePages } from "./settings/TimeZonePages.ts"

const pages = [
  ...signInPages,
  ...invitationPages,
  ...reviewerPages,
  ...factorsPages,
  ...overviewPages,
  ...ordersPages,
  ...quotesPages,
  ...linkPages,
  ...linkListPages,
  ...cancelPages,
  ...approvalPages,
  ...consentPages,
  ...shopPages,
  ...cartPages,
  ...sheetPages,
  ...keysPages,
  ...connectionsPages,
  ...stopPages,
  ...creditPages,
  ...topUpPages,
  ...invoicesPages,
  ...webhooksPages,
  ...mailPages,
  ...settingsPages,
  ...billingPages,
  ...timeZonePages,
  ...activityPages,
  ...helpPages
]

export const webRoutes: ReadonlyArray<PageRoute> = pages

export type Options = PageRouterOptions & WebSettings["Service"]

export const layer = (options: Options) =>
  Layer.effectDiscard(Effect.flatMap(makePageRouter(options), (serve) => serve(pages))).pipe(
    Layer.provide(Layer.succeed(WebSettings, options))
  )
