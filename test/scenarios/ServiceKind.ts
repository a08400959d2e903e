// The kinds of service that every scenario runs against: over either store, with one or several instances.
import type { Layer } from "effect"
import type { MemoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import { type Env, layer as inMemoryLayer } from "./RunningService.ts"

/** What every kind provides, whichever store it runs over. */
export type ServiceUnderTest = Exclude<Layer.Success<ReturnType<typeof inMemoryLayer>>, MemoryBooks>

export interface ServiceKind<Provided = never> {
  readonly name: string
  /** Starts a new service at each call. `env` holds environment variables. */
  readonly start: (env: Env) => Layer.Layer<ServiceUnderTest | Provided, unknown>
  /** Whether scenarios that hold for every payment processor run with each of them or only with the simulated one. */
  readonly processors: "each" | "simulated"
}

/** One instance over the in-memory store. */
export const inMemory: ServiceKind = { name: "in memory", start: inMemoryLayer, processors: "each" }
