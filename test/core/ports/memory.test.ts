// The in-memory store through every conformance suite, away from midnight.
import { Layer } from "effect"
import { layer } from "#adapters/memory/MemoryStore.ts"
import * as MovableClock from "#test/scenarios/MovableClock.ts"
import { storeConformance } from "./StoreConformance.ts"

storeConformance("memory", layer.pipe(Layer.provideMerge(MovableClock.layer)))
