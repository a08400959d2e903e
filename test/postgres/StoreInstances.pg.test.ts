// The suites about concurrent changes, with three instances on one database instead of a single process: each race is one
// of any two of them, too.
import { accountEmailsSuite } from "#test/ports/AccountEmails.suite.ts"
import { catalogueRacesSuite } from "#test/ports/CatalogueRaces.suite.ts"
import { deliveriesSuite } from "#test/ports/Deliveries.suite.ts"
import { orderBookRacesSuite } from "#test/ports/OrderBookRaces.suite.ts"
import { retentionRacesSuite } from "#test/ports/RetentionRaces.suite.ts"
import { selfOpenedSuite } from "#test/ports/SelfOpened.suite.ts"
import { settlementsSuite } from "#test/ports/Settlements.suite.ts"
import { storeInstances } from "./StoreInstances.ts"

for (const suite of [
  accountEmailsSuite,
  catalogueRacesSuite,
  orderBookRacesSuite,
  selfOpenedSuite,
  settlementsSuite,
  deliveriesSuite,
  retentionRacesSuite
])
  suite("three instances", storeInstances(3))
