// The short pass over PostgreSQL that `npm test` makes: the order book's conformance, a race between two instances, and orders
// over HTTP. The full run covers the same ground with every suite.
import { orderBookSuite } from "#test/core/ports/ordering/OrderBook.suite.ts"
import { articleRacesSuite } from "#test/scenarios/ArticleRaces.suite.ts"
import { orderResponsesSuite } from "#test/scenarios/OrderResponses.suite.ts"
import { serviceInstances } from "./ServiceInstances.ts"
import { storeInstances } from "./StoreInstances.ts"

orderBookSuite("postgres", storeInstances(1))
articleRacesSuite(serviceInstances(2))
orderResponsesSuite(serviceInstances(1))
