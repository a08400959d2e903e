// Every scenario with one instance of the service over the in-memory store.
import { everyScenario } from "./EveryScenario.ts"
import { layer } from "./Shop.ts"

everyScenario({ name: "in memory", open: layer, processors: "each" })
