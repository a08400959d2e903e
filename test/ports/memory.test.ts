// The in-memory store through every conformance suite.
import { layer } from "#adapters/memory/MemoryStore.ts"
import { everyStoreSuite } from "./EveryStore.ts"

everyStoreSuite("memory", layer)
