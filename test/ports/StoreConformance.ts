// Every suite that a store must pass, in one call, so that all stores pass the same.

import { accountEmailsSuite } from "./AccountEmails.suite.ts"
import { accountStatesSuite } from "./AccountStates.suite.ts"
import { activityLogSuite } from "./ActivityLog.suite.ts"
import { apiKeysSuite } from "./ApiKeys.suite.ts"
import { approvalMailsSuite } from "./ApprovalMails.suite.ts"
import { auditLogSuite } from "./AuditLog.suite.ts"
import { billingIdentitiesSuite } from "./BillingIdentities.suite.ts"
import { catalogueSuite } from "./Catalogue.suite.ts"
import { catalogueRacesSuite } from "./CatalogueRaces.suite.ts"
import { catalogueSearchSuite } from "./CatalogueSearch.suite.ts"
import { challengesSuite } from "./Challenges.suite.ts"
import { connectionsSuite } from "./Connections.suite.ts"
import { deliveriesSuite } from "./Deliveries.suite.ts"
import { deliveryLogSuite } from "./DeliveryLog.suite.ts"
import { deliveryQueueSuite } from "./DeliveryQueue.suite.ts"
import { factorsSuite } from "./Factors.suite.ts"
import { grantsSuite } from "./Grants.suite.ts"
import { handOversSuite } from "./HandOvers.suite.ts"
import { invoicesSuite } from "./Invoices.suite.ts"
import { membersSuite } from "./Members.suite.ts"
import { orderBookSuite } from "./OrderBook.suite.ts"
import { orderBookAccountReadsSuite } from "./OrderBookAccountReads.suite.ts"
import { orderBookIdempotencySuite } from "./OrderBookIdempotency.suite.ts"
import { orderBookOrderReadsSuite } from "./OrderBookOrderReads.suite.ts"
import { orderBookRacesSuite } from "./OrderBookRaces.suite.ts"
import { ordersSuite } from "./Orders.suite.ts"
import { ordersOfKeysSuite } from "./OrdersOfKeys.suite.ts"
import { pendingQuotesSuite } from "./PendingQuotes.suite.ts"
import { projectsSuite } from "./Projects.suite.ts"
import { promosSuite } from "./Promos.suite.ts"
import { purchaseMailsSuite } from "./PurchaseMails.suite.ts"
import { quotesSuite } from "./Quotes.suite.ts"
import { readinessSuite } from "./Readiness.suite.ts"
import { reconciliationSuite } from "./Reconciliation.suite.ts"
import { retentionSuite } from "./Retention.suite.ts"
import { retentionRacesSuite } from "./RetentionRaces.suite.ts"
import { reviewersSuite } from "./Reviewers.suite.ts"
import { selfOpenedSuite } from "./SelfOpened.suite.ts"
import { sessionsSuite } from "./Sessions.suite.ts"
import { setAsideSuite } from "./SetAside.suite.ts"
import { setAsideReconciliationSuite } from "./SetAsideReconciliation.suite.ts"
import { settlementsSuite } from "./Settlements.suite.ts"
import type { StoreLayer } from "./StoreSuite.ts"
import { subscriptionsSuite } from "./Subscriptions.suite.ts"
import { topUpsSuite } from "./TopUps.suite.ts"
import { walletsSuite } from "./Wallets.suite.ts"

const suites: ReadonlyArray<(name: string, store: StoreLayer) => void> = [
  orderBookSuite,
  orderBookOrderReadsSuite,
  orderBookAccountReadsSuite,
  orderBookIdempotencySuite,
  orderBookRacesSuite,
  accountEmailsSuite,
  accountStatesSuite,
  membersSuite,
  selfOpenedSuite,
  topUpsSuite,
  sessionsSuite,
  factorsSuite,
  purchaseMailsSuite,
  approvalMailsSuite,
  challengesSuite,
  reviewersSuite,
  grantsSuite,
  settlementsSuite,
  apiKeysSuite,
  connectionsSuite,
  catalogueSuite,
  catalogueSearchSuite,
  catalogueRacesSuite,
  projectsSuite,
  ordersSuite,
  ordersOfKeysSuite,
  handOversSuite,
  invoicesSuite,
  quotesSuite,
  pendingQuotesSuite,
  subscriptionsSuite,
  deliveriesSuite,
  deliveryLogSuite,
  deliveryQueueSuite,
  walletsSuite,
  promosSuite,
  auditLogSuite,
  billingIdentitiesSuite,
  activityLogSuite,
  readinessSuite,
  reconciliationSuite,
  setAsideSuite,
  setAsideReconciliationSuite,
  retentionSuite,
  retentionRacesSuite
]

/** Each suite builds its own instance of `store` and expects it empty. */
export const storeConformance = (name: string, store: StoreLayer): void => {
  for (const suite of suites) suite(name, store)
}
