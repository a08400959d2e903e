// Whether orders can be taken at present.
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "./PortErrors.ts"

export class Readiness extends Context.Service<
  Readiness,
  {
    /** Succeeds while the store can be read and written. Costs next to nothing, and writes nothing. */
    readonly writable: Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/Readiness") {}
