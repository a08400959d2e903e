// Restores a backup into the configured store, in place of a running service.
import { Effect, Option, Redacted } from "effect"
import { checkBackup, readBackup } from "#adapters/backup/BackupFile.ts"
import { CommandFailed } from "#adapters/cli/CommandFailed.ts"
import { settings } from "#adapters/config/Settings.ts"
import { RestoreRefused, restore } from "#adapters/postgres/backup/Restore.ts"
import { embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import { storeFaultMessage } from "./StoreFaultMessage.ts"

const NOTHING = "Nothing was restored."

/** `resolvePath` is for a relative `DATA_DIR`. */
export const restoreBackup = (file: string, resolvePath: (path: string) => string) =>
  Effect.gen(function* () {
    const { store, databaseUrl, dataDir } = yield* settings
    if (store === "memory") return yield* new RestoreRefused({ reason: "STORE=memory keeps nothing." })
    // Before anything is touched: the rows are written while the file is read a second time.
    const { steps } = yield* checkBackup(file)
    const address =
      store === "embedded"
        ? { url: yield* embeddedServer(resolvePath(dataDir)) }
        : Option.getOrElse(databaseUrl, () => ({ url: Redacted.make("") }))
    return yield* restore(address, steps, readBackup(file))
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      BackupUnreadable: ({ reason }) =>
        Effect.fail(new CommandFailed({ sentence: `${NOTHING} ${file} cannot be used. ${reason}.` })),
      RestoreRefused: ({ reason }) => Effect.fail(new CommandFailed({ sentence: `${NOTHING} ${reason}` }))
    }),
    Effect.catchTag(
      [
        "DatabaseReadOnly",
        "DatabaseRefuses",
        "DatabaseDiffers",
        "DatabaseTooNew",
        "DatabaseTooOld",
        "EmbeddedServerError",
        "SessionsNotKept",
        "SqlError",
        "StoreUnavailable"
      ],
      (error) => Effect.fail(new CommandFailed({ sentence: `${NOTHING} ${storeFaultMessage(error)}` }))
    )
  )
