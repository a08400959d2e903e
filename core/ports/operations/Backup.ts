// Reads the whole store for a backup, while orders go on.
import { Context, type Effect, type Stream } from "effect"
import type { BackupPart } from "#core/domain/operations/Backup.ts"
import type { BackupUnsupported, StoreUnavailable } from "../shared/PortErrors.ts"

export class Backup extends Context.Service<
  Backup,
  {
    /** One consistent snapshot, taken when the stream is run and held until it ends; read only as fast as it is consumed. */
    readonly read: Effect.Effect<Stream.Stream<BackupPart, StoreUnavailable>, BackupUnsupported>
  }
>()("backlinks/ports/operations/Backup") {}
