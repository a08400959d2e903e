// A whole order by the command line alone, in memory.
import { openShop } from "#test/adapters/operator/OperatorService.ts"
import { wholeOrderSuite } from "./WholeOrder.suite.ts"

wholeOrderSuite("in memory", openShop())
