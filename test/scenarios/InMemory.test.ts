// Every scenario with one instance of the service over the in-memory store.

import { everyScenario, oneInstanceScenarios } from "./ScenarioLists.ts"
import { inMemory } from "./ServiceKind.ts"

everyScenario(inMemory)
oneInstanceScenarios(inMemory)
