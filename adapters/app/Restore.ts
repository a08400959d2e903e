// Restores a backup into the configured store, in place of a running service, and says how the service is started on it.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect, Option, Redacted } from "effect"
import { checkBackup, readBackup } from "#adapters/backup/BackupFile.ts"
import { CommandFailed } from "#adapters/cli/CommandFailed.ts"
import type { Restored } from "#adapters/cli/RestoreStore.ts"
import { type Settings, settings } from "#adapters/config/Settings.ts"
import { RestoreRefused, restore } from "#adapters/postgres/backup/Restore.ts"
import { embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import { storeFaultMessage } from "./StoreFaultMessage.ts"

const NOTHING = "Nothing was restored."

/** A word of a shell's command line. */
const quoted = (text: string): string => (/^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

const withoutPassword = (text: string): string => {
  const url = URL.parse(text)
  if (url === null || url.password === "") return text
  url.password = "PASSWORD"
  return url.href
}

/** The settings that name the store to the next start. A database of `DATABASE_URL` would be chosen before a data directory. */
const startOf = ({ store, databaseUrl, encryptionKey, port }: Settings, dataDir: string): Restored["start"] => {
  const address = Option.getOrNull(databaseUrl)
  const chosen =
    store === "embedded"
      ? `${address === null ? "" : "STORE=embedded "}DATA_DIR=${quoted(dataDir)}`
      : `DATABASE_URL=${quoted(withoutPassword(Redacted.value(address?.url ?? Redacted.make(""))))}`
  const keyFile = join(dataDir, "encryption.key")
  const lacksKey = Option.isNone(encryptionKey) && !(store === "embedded" && existsSync(keyFile))
  return {
    command: `${chosen} npm start`,
    lacksKey: lacksKey ? { file: store === "embedded" ? keyFile : null } : null,
    port
  }
}

/** `resolvePath` is for a relative `DATA_DIR`. */
export const restoreBackup = (file: string, resolvePath: (path: string) => string) =>
  Effect.gen(function* () {
    const config = yield* settings
    const { store, databaseUrl } = config
    const dataDir = resolvePath(config.dataDir)
    if (store === "memory") return yield* new RestoreRefused({ reason: "STORE=memory keeps nothing." })
    // Before anything is touched: the rows are written while the file is read a second time.
    const { steps } = yield* checkBackup(file)
    const address =
      store === "embedded"
        ? { url: yield* embeddedServer(dataDir) }
        : Option.getOrElse(databaseUrl, () => ({ url: Redacted.make("") }))
    const totals = yield* restore(address, steps, readBackup(file))
    return { totals, start: startOf(config, dataDir) } satisfies Restored
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
