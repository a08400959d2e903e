// A whole order by the command line alone, in memory.
import { layer as shop } from "#test/scenarios/Shop.ts"
import { TOKEN } from "./Operating.ts"
import { wholeOrderSuite } from "./WholeOrder.suite.ts"

wholeOrderSuite("in memory", shop({ OPERATOR_TOKEN: TOKEN }))
