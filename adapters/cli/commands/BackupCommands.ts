// `backup` and `restore`.
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { TableTotals } from "#core/domain/operations/Backup.ts"
import { clientOptions } from "../Connect.ts"
import { print, printNote } from "../Output.ts"
import { type Restored, RestoreStore } from "../RestoreStore.ts"
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

/** Which command starts what was restored: any other starts another store, which reconcile then praises. */
const nextSteps = ({ command, lacksKey, port }: Restored["start"]): ReadonlyArray<string> => [
  ...(lacksKey === null
    ? []
    : [
        lacksKey.file === null
          ? "The ENCRYPTION_KEY of that time is not set: set it for the start."
          : `The encryption key of that time is missing: copy it to ${lacksKey.file}, or set ENCRYPTION_KEY.`
      ]),
  "Start what was restored, with the other settings of the service:",
  `  ${command}`,
  "Then check it:",
  "  npm run operator -- reconcile",
  `If another service has port ${port}, add PORT=${port + 1} to the start, and OPERATOR_URL=http://127.0.0.1:${port + 1} to the check.`
]

export const restoreCommand = Command.make(
  "restore",
  { file: file("A file that `backup` made with this version") },
  Effect.fnUntraced(function* ({ file }) {
    const { restore } = yield* RestoreStore
    const { totals, start } = yield* restore(file)
    const restored = { file, rows: rowsOf(totals), start: start.command }
    yield* print(restored, ({ rows }) => `Restored ${totalText(rows)}.`)
    yield* printNote(nextSteps(start).join("\n"))
  })
).pipe(
  Command.withDescription(
    "Fill the empty database of DATABASE_URL, otherwise of DATA_DIR, from a backup; stop the service first"
  )
)
