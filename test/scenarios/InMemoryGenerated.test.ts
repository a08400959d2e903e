// Generated orders, from cart to cancellation, generated spellings of one request, and generated requests to every route, with one instance
// over the in-memory store.

import { generatedScenarios } from "./ScenarioLists.ts"
import { inMemory } from "./ServiceKind.ts"

generatedScenarios(inMemory)
