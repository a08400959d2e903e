// All scenarios that any shop must live through, in one call, so that every house goes through the very same.
import { abandonmentSuite, sweeperSuite } from "./Abandonment.suite.ts"
import { accessSuite } from "./Access.suite.ts"
import { articleRacesSuite } from "./ArticleRaces.suite.ts"
import { canariesSuite } from "./Canaries.suite.ts"
import { crowdSuite } from "./Crowd.suite.ts"
import { dailyCapSuite } from "./DailyCap.suite.ts"
import { discountsSuite } from "./Discounts.suite.ts"
import { hostileInputSuite } from "./HostileInput.suite.ts"
import type { House, Suite } from "./House.ts"
import { idempotencySuite } from "./Idempotency.suite.ts"
import { idempotencyRacesSuite } from "./IdempotencyRaces.suite.ts"
import { latePaymentsSuite } from "./LatePayments.suite.ts"
import { orderAnswersSuite } from "./OrderAnswers.suite.ts"
import { ownershipSuite } from "./Ownership.suite.ts"
import { pagesSuite } from "./Pages.suite.ts"
import { paymentPageSuite, paymentsSuite } from "./Payments.suite.ts"
import { rateLimitsSuite } from "./RateLimits.suite.ts"
import { refusalsSuite } from "./Refusals.suite.ts"
import { respellingSuite } from "./Respelling.suite.ts"
import { resumptionSuite } from "./Resumption.suite.ts"
import { sandboxSuite } from "./Sandbox.suite.ts"
import { smallAmountsSuite } from "./SmallAmounts.suite.ts"
import { spendLimitsSuite } from "./SpendLimits.suite.ts"
import { storeFaultsSuite } from "./StoreFaults.suite.ts"
import { stripeNoticesSuite, withoutStripeSuite } from "./StripeNotices.suite.ts"
import { stripePaymentsSuite } from "./StripePayments.suite.ts"
import { sumsSuite } from "./Sums.suite.ts"
import { walletSuite } from "./Wallet.suite.ts"

/** Where what one request wrote must hold for all others: among them, it matters how many instances there are. */
const shared: ReadonlyArray<Suite> = [
  idempotencySuite,
  idempotencyRacesSuite,
  refusalsSuite,
  smallAmountsSuite,
  discountsSuite,
  dailyCapSuite,
  spendLimitsSuite,
  articleRacesSuite,
  walletSuite,
  abandonmentSuite,
  sweeperSuite,
  paymentsSuite,
  latePaymentsSuite,
  resumptionSuite,
  stripeNoticesSuite,
  stripePaymentsSuite,
  storeFaultsSuite,
  sandboxSuite,
  pagesSuite,
  crowdSuite
]

/** What one request after another is answered, by whichever instance. */
const single: ReadonlyArray<Suite> = [
  respellingSuite,
  orderAnswersSuite,
  sumsSuite,
  paymentPageSuite,
  withoutStripeSuite,
  accessSuite,
  ownershipSuite,
  hostileInputSuite,
  canariesSuite
]

/** What each instance counts for itself. */
const alone: ReadonlyArray<Suite> = [rateLimitsSuite]

/** Each suite opens shops of its own. */
export const sharedScenarios = (house: House): void => {
  for (const suite of shared) suite(house)
}

export const everyScenario = (house: House): void => {
  for (const suite of [...shared, ...single]) suite(house)
}

/** For houses of one instance. */
export const loneInstanceScenarios = (house: House): void => {
  for (const suite of alone) suite(house)
}
