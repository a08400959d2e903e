// Every scenario with one instance of the service over the in-memory store.
import { everyScenario, loneInstanceScenarios } from "./EveryScenario.ts"
import type { House } from "./House.ts"
import { layer } from "./Shop.ts"

const house: House = { name: "in memory", open: layer, processors: "each" }

everyScenario(house)
loneInstanceScenarios(house)
