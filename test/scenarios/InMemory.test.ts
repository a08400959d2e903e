// Every scenario with one instance of the service over the in-memory store.
import { inMemory } from "./RunningService.ts"
import { everyScenario, oneInstanceScenarios } from "./ScenarioLists.ts"

everyScenario(inMemory)
oneInstanceScenarios(inMemory)
