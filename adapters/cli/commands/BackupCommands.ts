// `backup` and `restore`.
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { TableTotals } from "#core/domain/operations/Backup.ts"
import { clientOptions } from "../Connect.ts"
import { print, printNote } from "../Output.ts"
import { RestoreStore } from "../RestoreStore.ts"
import { saveBackup } from "../SaveBackup.ts"

const file = (what: string) => Argument.String("file").pipe(Argument.withDescription(what))

/** For --json: the number of rows of each table. */
const rowsOf = (totals: TableTotals): Readonly<Record<string, number>> =>
  Object.fromEntries([...totals].map(([table, { rows }]) => [table, rows]))

const totalText = (rows: Readonly<Record<string, number>>): string =>
  `${counted(
    Object.values(rows).reduce((sum, one) => sum + one, 0),
    "row"
  )} of ${counted(Object.keys(rows).length, "table")}`

export const backupCommand = Command.make(
  "backup",
  { file: file("A new file; an existing one is never overwritten") },
  Effect.fnUntraced(function* ({ file }) {
    const totals = yield* saveBackup(yield* clientOptions, file)
    yield* print({ file, rows: rowsOf(totals) }, ({ rows }) => `${file} has ${totalText(rows)}, and was read back.`)
    yield* printNote("It does not have ENCRYPTION_KEY (or DATA_DIR/encryption.key): keep that, too, in another place.")
  })
).pipe(Command.withDescription("Back the store up into a new file, while the service takes orders; admin alone"))

export const restoreCommand = Command.make(
  "restore",
  { file: file("A file that `backup` made with this version") },
  Effect.fnUntraced(function* ({ file }) {
    const { restore } = yield* RestoreStore
    const totals = yield* restore(file)
    yield* print({ file, rows: rowsOf(totals) }, ({ rows }) => `Restored ${totalText(rows)}.`)
    yield* printNote("Now start the service with the ENCRYPTION_KEY of that time, and run reconcile.")
  })
).pipe(
  Command.withDescription(
    "Fill the empty database of DATABASE_URL, otherwise of DATA_DIR, from a backup; stop the service first"
  )
)
