// Every suite that a store must pass, in two lists, so that all stores pass the same.

import { apiKeysSuite } from "./access/ApiKeys.suite.ts"
import { boundCallsSuite } from "./access/BoundCalls.suite.ts"
import { connectionsSuite } from "./access/Connections.suite.ts"
import { grantsSuite } from "./access/Grants.suite.ts"
import { articleSearchSuite } from "./catalogue/ArticleSearch.suite.ts"
import { catalogueSuite } from "./catalogue/Catalogue.suite.ts"
import { catalogueRacesSuite } from "./catalogue/CatalogueRaces.suite.ts"
import { catalogueSearchSuite } from "./catalogue/CatalogueSearch.suite.ts"
import { projectsSuite } from "./catalogue/Projects.suite.ts"
import { siteDomainsSuite } from "./catalogue/SiteDomains.suite.ts"
import { billingIdentitiesSuite } from "./invoicing/BillingIdentities.suite.ts"
import { documentTotalsSuite } from "./invoicing/DocumentTotals.suite.ts"
import { handOversSuite } from "./invoicing/HandOvers.suite.ts"
import { invoiceListsSuite } from "./invoicing/InvoiceLists.suite.ts"
import { invoicesSuite } from "./invoicing/Invoices.suite.ts"
import { agentNoticesSuite } from "./mails/AgentNotices.suite.ts"
import { newsSuite } from "./mails/News.suite.ts"
import { ownerMailsSuite } from "./mails/OwnerMails.suite.ts"
import { accountClosingRacesSuite, accountClosingSuite } from "./members/AccountClosing.suite.ts"
import { accountEmailsSuite } from "./members/AccountEmails.suite.ts"
import { accountStatesSuite } from "./members/AccountStates.suite.ts"
import { auditLogSuite } from "./members/AuditLog.suite.ts"
import { challengesSuite } from "./members/Challenges.suite.ts"
import { emailChangeRacesSuite, emailChangesSuite } from "./members/EmailChanges.suite.ts"
import { factorsSuite } from "./members/Factors.suite.ts"
import { invitationMailsSuite, invitationRacesSuite, invitationsSuite } from "./members/Invitations.suite.ts"
import { membersSuite } from "./members/Members.suite.ts"
import { reviewersSuite } from "./members/Reviewers.suite.ts"
import { sessionConfirmationsSuite } from "./members/SessionConfirmations.suite.ts"
import { sessionEndsSuite } from "./members/SessionEnds.suite.ts"
import { sessionsSuite } from "./members/Sessions.suite.ts"
import { signInCodeRacesSuite, signInCodesSuite } from "./members/SignInCodes.suite.ts"
import { activityLogSuite } from "./operations/ActivityLog.suite.ts"
import { agentActivitySuite } from "./operations/AgentActivity.suite.ts"
import { ledgerReconciliationSuite } from "./operations/LedgerReconciliation.suite.ts"
import { readinessSuite } from "./operations/Readiness.suite.ts"
import { reconciliationSuite } from "./operations/Reconciliation.suite.ts"
import { retentionSuite } from "./operations/Retention.suite.ts"
import { retentionRacesSuite } from "./operations/RetentionRaces.suite.ts"
import { setAsideReconciliationSuite } from "./operations/SetAsideReconciliation.suite.ts"
import { accountBindingsSuite } from "./ordering/AccountBindings.suite.ts"
import { linkListsSuite } from "./ordering/LinkLists.suite.ts"
import { linkTextsSuite } from "./ordering/LinkTexts.suite.ts"
import { orderBookSuite } from "./ordering/OrderBook.suite.ts"
import { orderBookAccountReadsSuite } from "./ordering/OrderBookAccountReads.suite.ts"
import { orderBookIdempotencySuite } from "./ordering/OrderBookIdempotency.suite.ts"
import { orderBookOrderReadsSuite } from "./ordering/OrderBookOrderReads.suite.ts"
import { orderBookRacesSuite } from "./ordering/OrderBookRaces.suite.ts"
import { orderedBeforeSuite } from "./ordering/OrderedBefore.suite.ts"
import { ordersSuite } from "./ordering/Orders.suite.ts"
import { ordersOfKeysSuite } from "./ordering/OrdersOfKeys.suite.ts"
import { pendingQuotesSuite } from "./ordering/PendingQuotes.suite.ts"
import { purchasesSuite } from "./ordering/Purchases.suite.ts"
import { quotesSuite } from "./ordering/Quotes.suite.ts"
import { setAsideSuite } from "./ordering/SetAside.suite.ts"
import { settlementsSuite } from "./ordering/Settlements.suite.ts"
import { sweepLeasesSuite } from "./ordering/SweepLeases.suite.ts"
import { promosSuite } from "./pricing/Promos.suite.ts"
import { selfOpenedSuite } from "./pricing/SelfOpened.suite.ts"
import { sheetsSuite } from "./pricing/Sheets.suite.ts"
import type { StoreLayer } from "./StoreSuite.ts"
import { ledgerLinesSuite } from "./wallet/LedgerLines.suite.ts"
import { owedCreditSuite } from "./wallet/OwedCredit.suite.ts"
import { topUpsSuite } from "./wallet/TopUps.suite.ts"
import { walletsSuite } from "./wallet/Wallets.suite.ts"
import { deliveriesSuite } from "./webhooks/Deliveries.suite.ts"
import { deliveryLogSuite } from "./webhooks/DeliveryLog.suite.ts"
import { deliveryQueueSuite } from "./webhooks/DeliveryQueue.suite.ts"
import { eventsSuite } from "./webhooks/Events.suite.ts"
import { replaysSuite } from "./webhooks/Replays.suite.ts"
import { subscriptionRacesSuite, subscriptionsSuite } from "./webhooks/Subscriptions.suite.ts"

type StoreSuite = (name: string, store: StoreLayer) => void

/** What is about changes at the same moment. A store of several instances passes them with several, each race one of any two of them. */
const races: ReadonlyArray<StoreSuite> = [
  orderBookRacesSuite,
  accountEmailsSuite,
  emailChangeRacesSuite,
  accountClosingRacesSuite,
  signInCodeRacesSuite,
  invitationRacesSuite,
  selfOpenedSuite,
  settlementsSuite,
  catalogueRacesSuite,
  subscriptionRacesSuite,
  deliveriesSuite,
  retentionRacesSuite
]

const others: ReadonlyArray<StoreSuite> = [
  orderBookSuite,
  orderBookOrderReadsSuite,
  orderBookAccountReadsSuite,
  orderBookIdempotencySuite,
  accountClosingSuite,
  accountStatesSuite,
  membersSuite,
  invitationsSuite,
  invitationMailsSuite,
  topUpsSuite,
  owedCreditSuite,
  sessionsSuite,
  emailChangesSuite,
  signInCodesSuite,
  sessionConfirmationsSuite,
  sessionEndsSuite,
  factorsSuite,
  newsSuite,
  ownerMailsSuite,
  agentNoticesSuite,
  challengesSuite,
  reviewersSuite,
  grantsSuite,
  boundCallsSuite,
  sweepLeasesSuite,
  apiKeysSuite,
  agentActivitySuite,
  connectionsSuite,
  catalogueSuite,
  catalogueSearchSuite,
  articleSearchSuite,
  siteDomainsSuite,
  projectsSuite,
  linkTextsSuite,
  ordersSuite,
  ordersOfKeysSuite,
  handOversSuite,
  invoicesSuite,
  invoiceListsSuite,
  documentTotalsSuite,
  purchasesSuite,
  orderedBeforeSuite,
  linkListsSuite,
  quotesSuite,
  accountBindingsSuite,
  pendingQuotesSuite,
  subscriptionsSuite,
  deliveryLogSuite,
  deliveryQueueSuite,
  eventsSuite,
  replaysSuite,
  ledgerLinesSuite,
  walletsSuite,
  promosSuite,
  sheetsSuite,
  auditLogSuite,
  billingIdentitiesSuite,
  activityLogSuite,
  readinessSuite,
  reconciliationSuite,
  ledgerReconciliationSuite,
  setAsideSuite,
  setAsideReconciliationSuite,
  retentionSuite
]

const run =
  (suites: ReadonlyArray<StoreSuite>) =>
  (name: string, store: StoreLayer): void => {
    for (const suite of suites) suite(name, store)
  }

/** Each suite builds its own instance of `store` and expects it empty. */
export const raceConformance = run(races)
export const otherConformance = run(others)
