// Entry point of the operator's command line.

import { resolve } from "node:path"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer } from "effect"
import { runOperator } from "#adapters/cli/Operator.ts"
import { RestoreStore } from "#adapters/cli/RestoreStore.ts"

// A reader such as `head` may close the pipe early; that is not an error.
process.stdout.on("error", () => process.exit())

// npm changes to the project's folder; file arguments are relative to the directory it was called from.
const { INIT_CWD } = process.env
const startedIn = process.cwd()
if (INIT_CWD !== undefined) process.chdir(INIT_CWD)

/** Loads the stores only for the command that needs them. `DATA_DIR` is that of `npm start`. */
const restoreStore = Layer.succeed(RestoreStore, {
  restore: (file) =>
    Effect.flatMap(
      Effect.promise(() => import("#adapters/app/Restore.ts")),
      ({ restoreBackup }) => restoreBackup(file, (path) => resolve(startedIn, path))
    )
})

runOperator(process.argv.slice(2)).pipe(
  Effect.tap((status) =>
    Effect.sync(() => {
      process.exitCode = status
    })
  ),
  Effect.tapDefect((defect) => Console.error("The operator's command line stopped because of a bug.", defect)),
  Effect.provide(Layer.mergeAll(NodeServices.layer, NodeHttpClient.layerUndici, restoreStore)),
  (program) => NodeRuntime.runMain(program, { disableErrorReporting: true })
)
