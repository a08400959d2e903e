// Writes a new file or folder under the name of a draft. It gets its own name once all of it is there, so that a full disk or a lost
// connection leaves nothing that looks complete.
import { randomBytes } from "node:crypto"
import { Effect, FileSystem } from "effect"
import { PlatformError } from "effect/PlatformError"
import { CommandFailed } from "./CommandFailed.ts"

interface NewFile<A, E, R> {
  readonly path: string
  /** Why nothing is written where something is. */
  readonly overwrites: string
  /** What the sentence about a full disk begins with. */
  readonly unwritten: string
  readonly write: (draft: string, files: FileSystem.FileSystem) => Effect.Effect<A, E | PlatformError, R>
  /** Gives the draft its name. */
  readonly publish: "link" | "rename"
}

export const writeNew = <A, E, R>({ path, overwrites, unwritten, write, publish }: NewFile<A, E, R>) => {
  const there = new CommandFailed({ sentence: `${path} exists, and ${overwrites}.` })
  const failed = ({ reason }: PlatformError): CommandFailed =>
    reason._tag === "AlreadyExists"
      ? there
      : new CommandFailed({ sentence: `${unwritten}, and no part of it was kept: ${reason.message}` })
  return Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (yield* files.exists(path)) return yield* there
    const draft = `${path}.${randomBytes(4).toString("hex")}.part`
    const written = Effect.tap(write(draft, files), () => files[publish](draft, path))
    return yield* Effect.ensuring(written, Effect.ignore(files.remove(draft, { recursive: true })))
  }).pipe(
    Effect.catchIf(
      (error): error is PlatformError => error instanceof PlatformError,
      (error) => Effect.fail(failed(error))
    )
  )
}
