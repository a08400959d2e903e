// Generated orders, from cart to cancellation, and generated spellings of one request, with one instance over the in-memory store.

import { generatedScenarios } from "./ScenarioLists.ts"
import { inMemory } from "./ServiceKind.ts"

generatedScenarios(inMemory)
