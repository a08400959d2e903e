// The life of an order by command line, in memory.
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { wholeOrderSuite } from "./OrderLifecycle.suite.ts"

wholeOrderSuite("in memory", operatorService())
