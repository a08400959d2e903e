// Whether the service can take orders now.
import { Context, type Effect } from "effect"
import type { SchemaTooNew, StoreUnavailable } from "../shared/PortErrors.ts"

export class Readiness extends Context.Service<
  Readiness,
  {
    /** Succeeds while the store can be read and written, and its schema is this version's. Cheap, and writes nothing. */
    readonly writable: Effect.Effect<void, SchemaTooNew | StoreUnavailable>
    /** Whether another version of the service can migrate the store while this one runs. */
    readonly isShared: boolean
  }
>()("backlinks/ports/operations/Readiness") {}
