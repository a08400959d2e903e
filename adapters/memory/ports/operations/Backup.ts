// The store in memory is not backed up: nothing of it outlives the process.
import { Effect, Layer } from "effect"
import { Backup } from "#core/ports/operations/Backup.ts"
import { BackupUnsupported } from "#core/ports/shared/PortErrors.ts"

export const layer: Layer.Layer<Backup> = Layer.succeed(
  Backup,
  Backup.of({ read: Effect.fail(new BackupUnsupported()) })
)
