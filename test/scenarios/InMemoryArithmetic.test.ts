// The amounts of generated orders, from cart to cancellation, with one instance of the service over the in-memory store.
import { inMemory } from "./RunningService.ts"
import { arithmeticScenarios } from "./ScenarioLists.ts"

arithmeticScenarios(inMemory)
