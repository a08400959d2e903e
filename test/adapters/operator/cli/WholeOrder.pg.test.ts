// A whole order by the command line alone, on a PostgreSQL whose database is new and empty.
import { TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { layer as shop } from "#test/postgres/ServiceOnPostgres.ts"
import { wholeOrderSuite } from "./WholeOrder.suite.ts"

wholeOrderSuite("on PostgreSQL", shop({ OPERATOR_TOKEN: TOKEN, PAYMENTS: "simulated", WELCOME_OFFER_PERCENT: "0" }))
