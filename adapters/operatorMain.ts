// Starts the operator's command line with the arguments and the environment of this process.
import { NodeHttpClient, NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { runOperator } from "#adapters/operator/cli/Operator.ts"

// Whoever reads the output may have seen enough, as `head` has; that is no failure of ours.
process.stdout.on("error", () => process.exit())

// npm goes to the project's folder first; files are named from where the operator is.
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
