// Fills an empty store from the file of a backup. The program that runs the command line provides it, because it opens the database
// itself: the service has to be stopped.
import { type Config, Context, type Effect } from "effect"
import type { TableTotals } from "#core/domain/operations/Backup.ts"
import type { CommandFailed } from "./CommandFailed.ts"

export interface Restored {
  readonly totals: TableTotals
  readonly start: {
    /** Starts the service on what was restored; a password in it is replaced by a word. */
    readonly command: string
    /** The key of that time is neither set nor in its file, which a database elsewhere has not. */
    readonly lacksKey: { readonly file: string | null } | null
    /** The service will listen on it, unless another one does. */
    readonly port: number
  }
}

export class RestoreStore extends Context.Service<
  RestoreStore,
  {
    /** All rows of the file or none. */
    readonly restore: (file: string) => Effect.Effect<Restored, CommandFailed | Config.ConfigError>
  }
>()("backlinks/cli/RestoreStore") {}
