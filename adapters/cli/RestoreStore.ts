// Fills an empty store from the file of a backup. The program that runs the command line provides it, because it opens the database
// itself: the service has to be stopped.
import { type Config, Context, type Effect } from "effect"
import type { TableTotals } from "#core/domain/operations/Backup.ts"
import type { CommandFailed } from "./CommandFailed.ts"

export class RestoreStore extends Context.Service<
  RestoreStore,
  {
    /** All rows of the file or none. */
    readonly restore: (file: string) => Effect.Effect<TableTotals, CommandFailed | Config.ConfigError>
  }
>()("backlinks/cli/RestoreStore") {}
