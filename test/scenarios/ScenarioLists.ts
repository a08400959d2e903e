// The lists of suites that every kind of service runs.

import { abandonmentSuite, sweeperSuite } from "./Abandonment.suite.ts"
import { accessSuite, revokedKeysSuite } from "./Access.suite.ts"
import { accountIdempotencySuite } from "./AccountIdempotency.suite.ts"
import { accountViewsSuite } from "./AccountViews.suite.ts"
import { accountWebhooksSuite } from "./AccountWebhooks.suite.ts"
import { approvalRacesSuite } from "./ApprovalRaces.suite.ts"
import { approvalsSuite } from "./Approvals.suite.ts"
import { articleRacesSuite } from "./ArticleRaces.suite.ts"
import { bankDebitsSuite } from "./BankDebits.suite.ts"
import { boundCallsSuite } from "./BoundCalls.suite.ts"
import { campaignSuite } from "./Campaign.suite.ts"
import { cancellationsSuite } from "./Cancellations.suite.ts"
import { cancelOnlySuite } from "./CancelOnly.suite.ts"
import { cardAmountsSuite } from "./CardAmounts.suite.ts"
import { confirmedSessionsSuite } from "./ConfirmedSessions.suite.ts"
import { connectionsSuite } from "./Connections.suite.ts"
import { dailyCapSuite } from "./DailyCap.suite.ts"
import { discountsSuite } from "./Discounts.suite.ts"
import { endedKeysSuite } from "./EndedKeys.suite.ts"
import { equivalentRequestsSuite } from "./EquivalentRequests.suite.ts"
import { filtersSuite } from "./Filters.suite.ts"
import { freedAnswersSuite } from "./FreedAnswers.suite.ts"
import { hostileBodiesSuite, hostileInputSuite } from "./HostileInput.suite.ts"
import { idempotencySuite } from "./Idempotency.suite.ts"
import { idempotencyRacesSuite } from "./IdempotencyRaces.suite.ts"
import { invitationsSuite } from "./Invitations.suite.ts"
import { invoicesSuite, withoutSellerSuite } from "./Invoices.suite.ts"
import { keptPagesSuite } from "./KeptPages.suite.ts"
import { keyRotationsSuite } from "./KeyRotations.suite.ts"
import { latePaymentsSuite } from "./LatePayments.suite.ts"
import { linkChangeRacesSuite } from "./LinkChangeRaces.suite.ts"
import { linkChangesSuite } from "./LinkChanges.suite.ts"
import { listsSuite } from "./Lists.suite.ts"
import { meSuite } from "./Me.suite.ts"
import { mixedLoadSuite } from "./MixedLoad.suite.ts"
import { neighboursSuite } from "./Neighbours.suite.ts"
import { openReservationsSuite } from "./OpenReservations.suite.ts"
import { orderArithmeticSuite } from "./OrderArithmetic.suite.ts"
import { orderRepliesSuite } from "./OrderReplies.suite.ts"
import { orderResponsesSuite } from "./OrderResponses.suite.ts"
import { owedOrdersSuite } from "./OwedOrders.suite.ts"
import { ownershipSuite } from "./Ownership.suite.ts"
import { pagesSuite } from "./Pages.suite.ts"
import { paymentPageSuite, paymentsSuite } from "./Payments.suite.ts"
import { peopleSuite } from "./People.suite.ts"
import { rateLimitsSuite } from "./RateLimits.suite.ts"
import { referencesSuite } from "./References.suite.ts"
import { refundsSuite } from "./Refunds.suite.ts"
import { refusedOrdersSuite } from "./RefusedOrders.suite.ts"
import { reorderSuite } from "./Reorder.suite.ts"
import { resumptionSuite } from "./Resumption.suite.ts"
import { sameOrderSuite } from "./SameOrder.suite.ts"
import { sandboxSuite } from "./Sandbox.suite.ts"
import type { Suite } from "./ScenarioSuite.ts"
import { secretLeaksSuite } from "./SecretLeaks.suite.ts"
import type { ServiceKind } from "./ServiceKind.ts"
import { setAsidePaymentsSuite } from "./SetAsidePayments.suite.ts"
import { sheetsSuite } from "./Sheets.suite.ts"
import { siteFiltersSuite } from "./SiteFilters.suite.ts"
import { spendLimitsSuite } from "./SpendLimits.suite.ts"
import { stoppedAgentsSuite } from "./StoppedAgents.suite.ts"
import { storeFaultsSuite } from "./StoreFaults.suite.ts"
import { stripeNoticesSuite } from "./StripeNotices.suite.ts"
import { stripePaymentsSuite, withoutStripeSuite } from "./StripePayments.suite.ts"
import { stripeTopUpReversalsSuite } from "./StripeTopUpReversals.suite.ts"
import { stripeTopUpsSuite } from "./StripeTopUps.suite.ts"
import { unkeyedRepeatsSuite } from "./UnkeyedRepeats.suite.ts"
import { untoldPaymentsSuite } from "./UntoldPayments.suite.ts"
import { walletSuite } from "./Wallet.suite.ts"

/** Many requests at the same moment. */
const races: ReadonlyArray<Suite> = [
  idempotencyRacesSuite,
  accountIdempotencySuite,
  unkeyedRepeatsSuite,
  dailyCapSuite,
  spendLimitsSuite,
  approvalRacesSuite,
  articleRacesSuite,
  discountsSuite,
  campaignSuite,
  neighboursSuite,
  openReservationsSuite,
  walletSuite,
  abandonmentSuite,
  sweeperSuite,
  paymentsSuite,
  bankDebitsSuite,
  untoldPaymentsSuite,
  setAsidePaymentsSuite,
  refundsSuite,
  stripeTopUpReversalsSuite,
  cancellationsSuite,
  linkChangeRacesSuite,
  cancelOnlySuite,
  keyRotationsSuite,
  endedKeysSuite,
  peopleSuite,
  invitationsSuite,
  confirmedSessionsSuite,
  sheetsSuite,
  mixedLoadSuite
]

/** One request after another, each to the next instance, which reads what another one wrote. */
const sequences: ReadonlyArray<Suite> = [
  idempotencySuite,
  sameOrderSuite,
  approvalsSuite,
  connectionsSuite,
  accountViewsSuite,
  accountWebhooksSuite,
  refusedOrdersSuite,
  cardAmountsSuite,
  latePaymentsSuite,
  resumptionSuite,
  stripeNoticesSuite,
  stripePaymentsSuite,
  stripeTopUpsSuite,
  storeFaultsSuite,
  linkChangesSuite,
  boundCallsSuite,
  stoppedAgentsSuite,
  sandboxSuite,
  invoicesSuite,
  withoutSellerSuite,
  pagesSuite,
  filtersSuite,
  siteFiltersSuite,
  referencesSuite,
  listsSuite,
  keptPagesSuite,
  reorderSuite,
  orderRepliesSuite,
  orderResponsesSuite,
  meSuite,
  freedAnswersSuite,
  paymentPageSuite,
  withoutStripeSuite,
  revokedKeysSuite,
  ownershipSuite,
  hostileInputSuite,
  secretLeaksSuite
]

const run =
  (suites: ReadonlyArray<Suite>) =>
  (kind: ServiceKind): void => {
    for (const suite of suites) suite(kind)
  }

/** Each suite starts its own services. */
export const everyScenario = run([...races, ...sequences])

export const raceScenarios = run(races)
export const sequenceScenarios = run(sequences)

/**
 * What no store takes part in, so that one is enough, the fastest: generated carts from order to cancellation and generated spellings of one
 * request, whose arithmetic and fingerprints are the core's, orders while something is owed, and every route with every credential and every
 * hostile body.
 */
export const generatedScenarios = run([
  orderArithmeticSuite,
  equivalentRequestsSuite,
  owedOrdersSuite,
  accessSuite,
  hostileBodiesSuite
])

/** Limits that each instance counts for itself, so that they are exact with one instance only. */
export const oneInstanceScenarios = run([rateLimitsSuite])
