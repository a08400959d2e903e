// Whether the service can take orders now.
import { Context, type Effect } from "effect"
import type { SchemaTooNew, StoreUnavailable } from "../shared/PortErrors.ts"

export class Readiness extends Context.Service<
  Readiness,
  {
    /** Succeeds while an order could be written, and the schema is this version's. Cheap, and leaves nothing behind. */
    readonly writable: Effect.Effect<void, SchemaTooNew | StoreUnavailable>
    /** Whether another version of the service can migrate the store while this one runs. */
    readonly isShared: boolean
  }
>()("backlinks/ports/operations/Readiness") {}
