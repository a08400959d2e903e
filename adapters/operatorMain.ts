// Entry point of the operator's command line.
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer } from "effect"
import { runOperator } from "#adapters/operator/cli/Operator.ts"

// A reader such as `head` may close the pipe early; that is not an error.
process.stdout.on("error", () => process.exit())

// npm changes to the project's folder; file arguments are relative to the directory it was called from.
const { INIT_CWD } = process.env
if (INIT_CWD !== undefined) process.chdir(INIT_CWD)

runOperator(process.argv.slice(2)).pipe(
  Effect.tap((status) =>
    Effect.sync(() => {
      process.exitCode = status
    })
  ),
  Effect.tapDefect((defect) => Console.error("The operator's command line stopped because of a bug.", defect)),
  Effect.provide(Layer.merge(NodeServices.layer, NodeHttpClient.layerUndici)),
  (program) => NodeRuntime.runMain(program, { disableErrorReporting: true })
)
