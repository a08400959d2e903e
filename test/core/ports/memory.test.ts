// The in-memory store through every conformance suite, away from midnight.
import { Layer } from "effect"
import { layer } from "#adapters/memory/MemoryStore.ts"
import * as MovableClock from "#test/scenarios/MovableClock.ts"
import { otherConformance, raceConformance } from "./StoreConformance.ts"

const store = layer.pipe(Layer.provideMerge(MovableClock.layer))

otherConformance("memory", store)
raceConformance("memory", store)
