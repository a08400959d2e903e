// Downloads a backup into a new file. The file gets its name only once all of it is on the disk and was read back, so that a full disk
// or a lost connection leaves nothing that looks like a backup.
import { randomBytes } from "node:crypto"
import { Effect, FileSystem, Stream } from "effect"
import type { PlatformError } from "effect/PlatformError"
import { checkBackup } from "#adapters/backup/BackupFile.ts"
import { downloadBackup, type OperatorClientOptions } from "#adapters/operator/OperatorClient.ts"
import { CommandFailed } from "./CommandFailed.ts"

/** It holds sealed secrets, names and addresses. */
const FILE_MODE = 0o600

const there = (path: string) => new CommandFailed({ sentence: `${path} exists, and a backup overwrites no file.` })

const unwritten =
  (path: string) =>
  ({ reason }: PlatformError) =>
    new CommandFailed({
      sentence: `The backup could not be written to ${path}, and no part of it was kept: ${reason.message}`
    })

const download = Effect.fnUntraced(function* (options: OperatorClientOptions, draft: string, path: string) {
  const files = yield* FileSystem.FileSystem
  const file = yield* Effect.mapError(files.open(draft, { flag: "wx", mode: FILE_MODE }), unwritten(path))
  yield* Stream.runForEach(downloadBackup(options), (bytes) => Effect.mapError(file.writeAll(bytes), unwritten(path)))
  yield* Effect.mapError(file.sync, unwritten(path))
})

/** The totals of the tables in the file. */
export const saveBackup = Effect.fnUntraced(function* (options: OperatorClientOptions, path: string) {
  const files = yield* FileSystem.FileSystem
  if (yield* Effect.mapError(files.exists(path), unwritten(path))) return yield* there(path)
  const draft = `${path}.${randomBytes(4).toString("hex")}.part`
  const saved = Effect.gen(function* () {
    yield* Effect.scoped(download(options, draft, path))
    const checked = yield* checkBackup(draft).pipe(
      Effect.mapError(
        ({ reason }) =>
          new CommandFailed({ sentence: `What arrived is no complete backup, and was not kept. ${reason}.` })
      )
    )
    // Unlike a rename, a link never replaces a file that was made meanwhile.
    yield* files
      .link(draft, path)
      .pipe(Effect.mapError((error) => (error.reason._tag === "AlreadyExists" ? there(path) : unwritten(path)(error))))
    return checked.totals
  })
  return yield* Effect.ensuring(saved, Effect.ignore(files.remove(draft)))
})
