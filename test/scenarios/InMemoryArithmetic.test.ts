// The amounts of generated orders, from cart to cancellation, with one instance of the service over the in-memory store.

import { arithmeticScenarios } from "./ScenarioLists.ts"
import { inMemory } from "./ServiceKind.ts"

arithmeticScenarios(inMemory)
