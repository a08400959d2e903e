// The in-memory store through every conformance suite, in a time that no midnight is near.
import { Layer } from "effect"
import { layer } from "#adapters/memory/MemoryStore.ts"
import * as MovableClock from "#test/scenarios/MovableClock.ts"
import { storeConformance } from "./StoreConformance.ts"

storeConformance("memory", layer.pipe(Layer.provideMerge(MovableClock.layer)))
