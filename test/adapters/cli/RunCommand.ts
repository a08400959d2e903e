// Runs operator commands in process against a service and captures their output.
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { ConfigProvider, Console, Effect, FileSystem, Layer, Schema, Sink, Stdio, Terminal } from "effect"
import { FetchHttpClient } from "effect/http"
import { ChildProcessSpawner } from "effect/process"
import { expect } from "vitest"
import { restoreBackup } from "#adapters/app/Restore.ts"
import { runOperator } from "#adapters/cli/Operator.ts"
import { RestoreStore } from "#adapters/cli/RestoreStore.ts"
import { Key } from "#adapters/operator/records/AccountRecords.ts"
import { TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"

/** Output of `key issue --json`. */
export const IssuedKey = Schema.Struct({ key: Key, text: Schema.String })

export interface CommandOutput {
  readonly status: number
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>
  /** Columns of the terminal; 0 where the output goes elsewhere. */
  readonly columns?: number
  /** Progress goes here, past the console. */
  readonly progress?: Array<string>
}

const notNeeded = Effect.die("no command asks or starts anything")

const terminal = (columns: number) =>
  Layer.succeed(
    Terminal.Terminal,
    Terminal.make({
      columns: Effect.succeed(columns),
      rows: Effect.succeed(24),
      size: notNeeded,
      readInput: notNeeded,
      readLine: notNeeded,
      display: () => Effect.void
    })
  )

const stdio = (progress: Array<string> | undefined) => {
  const keep = (chunk: string | Uint8Array) => Effect.sync(() => void progress?.push(String(chunk)))
  return Stdio.layerTest({ stderrIsTerminal: Effect.succeed(progress !== undefined), stderr: () => Sink.forEach(keep) })
}

const spawner = Layer.succeed(
  ChildProcessSpawner.ChildProcessSpawner,
  ChildProcessSpawner.make(() => notNeeded)
)

const restoreStore = Layer.succeed(RestoreStore, { restore: (file) => restoreBackup(file, (path) => path) })

export const runCommandIn = Effect.fnUntraced(function* (
  { env, columns = 0, progress }: RunOptions,
  args: ReadonlyArray<string>
) {
  const [out, err]: [Array<string>, Array<string>] = [[], []]
  const console: Console.Console = {
    ...globalThis.console,
    log: (text: string) => void out.push(text),
    error: (text: string) => void err.push(text)
  }
  const status = yield* runOperator(args).pipe(
    Effect.provide([NodeFileSystem.layer, NodePath.layer, terminal(columns), stdio(progress), spawner]),
    Effect.provide([FetchHttpClient.layer, restoreStore, ConfigProvider.layer(ConfigProvider.fromUnknown(env))]),
    Effect.provideService(Console.Console, console)
  )
  return { status, out: out.join("\n"), err: err.join("\n") } satisfies CommandOutput
})

/** Runs a command with the environment of the test's service. */
export const runCommand = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(RunningService, ({ url }) => runCommandIn({ env: { OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN } }, args))

/** Runs a command that must succeed; returns its standard output. */
export const succeed = (...args: ReadonlyArray<string>) =>
  Effect.map(runCommand(...args), ({ status, out, err }) => {
    expect(status, err).toBe(0)
    return out
  })

/** Runs a command with --json; decodes the one value on standard output. */
export const runJson = <A>(schema: Schema.Codec<A, unknown>, ...args: ReadonlyArray<string>) =>
  Effect.map(succeed(...args, "--json"), Schema.decodeUnknownSync(Schema.fromJsonString(schema)))

/** Runs a command that must fail with empty standard output; returns its standard error. */
export const refusal = (...args: ReadonlyArray<string>) =>
  Effect.map(runCommand(...args), ({ status, out, err }) => {
    expect({ status, out }).toStrictEqual({ status: 1, out: "" })
    return err
  })

/** Writes a temporary file, scoped to the test; returns its path. */
export const file = Effect.fnUntraced(function* (name: string, text: string) {
  const files = yield* FileSystem.FileSystem
  const path = `${yield* files.makeTempDirectoryScoped()}/${name}`
  yield* files.writeFileString(path, text)
  return path
}, Effect.provide(NodeFileSystem.layer))
