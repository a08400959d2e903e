// The life of an order by command line, on an empty PostgreSQL database.
import { TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { layer as shop } from "#test/adapters/postgres/ServiceOnPostgres.ts"
import { wholeOrderSuite } from "./OrderLifecycle.suite.ts"

wholeOrderSuite("on PostgreSQL", shop({ OPERATOR_TOKEN: TOKEN, PAYMENTS: "simulated", WELCOME_OFFER_PERCENT: "0" }))
