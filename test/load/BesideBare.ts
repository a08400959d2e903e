// Drives the service and the bare server with the same calls in one run, and compares them. Options: `--store memory|embedded`,
// `--connections N`, `--seconds N`.
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Effect } from "effect"
import { demoKeys } from "#adapters/Demo.ts"
import { type Call, drive, type Figures as Seen } from "./Drive.ts"
import { type Load, rounded } from "./Load.ts"
import { type Served, serveBare, serveShop } from "./Servers.ts"

export const keyOf = (label: string): string => demoKeys.find((key) => key.label === label)?.text ?? ""

const optionsFrom = (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      store: { type: "string", default: "memory" },
      connections: { type: "string", default: "16" },
      seconds: { type: "string", default: "10" }
    }
  })
  return { store: values.store, connections: Number(values.connections), seconds: Number(values.seconds) }
}

type Options = ReturnType<typeof optionsFrom>

const show = (name: string, { perSecond, p50Ms, p99Ms }: Seen): void =>
  console.log(
    `${name.padEnd(10)} ${perSecond.toFixed(0).padStart(7)}/s   p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms`
  )

const measured = async (
  server: Promise<Served>,
  options: Options,
  expected: number,
  call: () => Call
): Promise<Seen> => {
  const { baseUrl, stop } = await server
  return drive(baseUrl, { ...options, expected }, call).finally(stop)
}

const compare = async (name: string, options: Options, expected: number, call: () => Call) => {
  const dataDir = await mkdtemp(join(tmpdir(), "backlinks-load-"))
  // Run as root, the database is another user's, who must be able to get there.
  await chmod(dataDir, 0o755)
  const bare = await measured(serveBare(), options, expected, call)
  const shop = await measured(serveShop({ STORE: options.store, DATA_DIR: dataDir }), options, expected, call)
  await rm(dataDir, { recursive: true, force: true })
  show("bare", bare)
  show(options.store, shop)
  const ratios = { bare: rounded(shop.perSecond / bare.perSecond, 3) }
  const summary = {
    name,
    per_second: Math.round(shop.perSecond),
    p50_ms: rounded(shop.p50Ms),
    p99_ms: rounded(shop.p99Ms)
  }
  return { summary: { ...summary, ratios }, missed: [] }
}

/** `expected` is the status that every call must be answered with. */
export const besideBare =
  (name: string, expected: number, call: () => Call): Load =>
  (args) =>
    Effect.tryPromise(() => compare(name, optionsFrom(args), expected, call))
