// The suites about concurrent changes, with three instances on one database instead of a single process: each race is one
// of any two of them, too.

import { catalogueRacesSuite } from "#test/core/ports/catalogue/CatalogueRaces.suite.ts"
import { accountEmailsSuite } from "#test/core/ports/members/AccountEmails.suite.ts"
import { invitationRacesSuite } from "#test/core/ports/members/Invitations.suite.ts"
import { retentionRacesSuite } from "#test/core/ports/operations/RetentionRaces.suite.ts"
import { orderBookRacesSuite } from "#test/core/ports/ordering/OrderBookRaces.suite.ts"
import { settlementsSuite } from "#test/core/ports/ordering/Settlements.suite.ts"
import { selfOpenedSuite } from "#test/core/ports/pricing/SelfOpened.suite.ts"
import { deliveriesSuite } from "#test/core/ports/webhooks/Deliveries.suite.ts"
import { storeInstances } from "./StoreInstances.ts"

for (const suite of [
  accountEmailsSuite,
  catalogueRacesSuite,
  invitationRacesSuite,
  orderBookRacesSuite,
  selfOpenedSuite,
  settlementsSuite,
  deliveriesSuite,
  retentionRacesSuite
])
  suite("three instances", storeInstances(3))
