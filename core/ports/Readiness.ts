// Whether the service can take orders now.
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "./PortErrors.ts"

export class Readiness extends Context.Service<
  Readiness,
  {
    /** Succeeds while the store can be read and written. Cheap, and writes nothing. */
    readonly writable: Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/Readiness") {}
