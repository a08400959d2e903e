// Downloads a backup into a new file, which is kept only if it was read back.
import { Effect, Stream } from "effect"
import { checkBackup } from "#adapters/backup/BackupFile.ts"
import { downloadBackup, type OperatorClientOptions } from "#adapters/operator/OperatorClient.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { writeNew } from "./NewFile.ts"

/** It holds sealed secrets, names and addresses. */
const FILE_MODE = 0o600

/** The totals of the tables in the file. */
export const saveBackup = (options: OperatorClientOptions, path: string) =>
  writeNew({
    path,
    overwrites: "a backup overwrites no file",
    unwritten: `The backup could not be written to ${path}`,
    write: Effect.fnUntraced(function* (draft, files) {
      yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* files.open(draft, { flag: "wx", mode: FILE_MODE })
          yield* Stream.runForEach(downloadBackup(options), (bytes) => file.writeAll(bytes))
          yield* file.sync
        })
      )
      const { totals } = yield* Effect.mapError(
        checkBackup(draft),
        ({ reason }) =>
          new CommandFailed({ sentence: `What arrived is no complete backup, and was not kept. ${reason}.` })
      )
      return totals
    }),
    // Unlike a rename, a link never replaces a file that was made meanwhile.
    publish: "link"
  })
