// The command line: each mode, and one message for each mistake.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Option } from "effect"
import { expect, it, vi } from "vitest"
import { readFlags } from "#bench/BenchCommand.ts"
import { scenarios } from "#bench/scenarios/Scenarios.ts"

const parse = (line: string) =>
  readFlags(line.split(" ").filter((word) => word !== "")).pipe(Effect.provide(NodeServices.layer))

const read = (line: string) => Effect.runPromise(Effect.map(parse(line), Option.getOrNull))

it("plays all scenarios without a screen, rush hour on one, and a scenario by its name", async () => {
  expect(await read("--headless")).toEqual({ _tag: "Headless", scenarios, seed: 1 })
  const watched = await read("")
  expect(watched?._tag === "Watch" && watched.scenarios.map(({ name }) => name)).toEqual(["rush-hour"])
  const asked = await read("--scenario replay --seed 42 --speed 1000")
  expect(asked).toMatchObject({ _tag: "Watch", scenarios: [{ name: "replay" }], seed: 42, speed: 1_000 })
  const size = { actors: 200, orders: 100_000 }
  expect(await read("--headless --actors 200 --orders 100000")).toEqual({ _tag: "Soak", size, seed: 1 })
})

it.each(["--help", "-h"])("prints every flag and every scenario for %s", async (flag) => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  expect(await read(flag)).toBeNull()
  const help = log.mock.calls.flat().join("\n")
  log.mockRestore()
  const flags = ["scenario", "seed", "speed", "headless", "actors", "orders", "attach", "token-file"]
  for (const name of flags) expect(help).toContain(`--${name}`)
  for (const { name } of scenarios) expect(help).toContain(name)
})

it("attaches to a deployment, with the token from a file or the environment", async () => {
  const attach = { _tag: "Attach", url: "http://127.0.0.1:3000", tokenFile: null, headless: false }
  expect(await read("--attach http://127.0.0.1:3000/")).toEqual(attach)
  expect(await read("--attach http://127.0.0.1:3000 --headless --token-file t")).toEqual({
    ...attach,
    headless: true,
    tokenFile: "t"
  })
})

it.each([
  ["--attach localhost", "--attach"],
  ["--attach http://me:secret@host", "--attach"],
  ["--attach http://host --scenario replay", "--scenario"],
  ["--token-file t", "--attach"],
  ["--scenario nothing", "nothing"],
  ["--seed one", "--seed"],
  ["--speed 20000", "--speed"],
  ["--speed 0", "--speed"],
  ["--orders 0", "--orders"],
  ["--scenario replay --orders 5", "rush-hour"],
  ["--scenario all --orders 5", "rush-hour"],
  ["--loud", "--loud"],
  ["extra", "extra"]
])("refuses %s with a message that names %s", async (line, named) => {
  const { message } = await Effect.runPromise(Effect.flip(parse(line)))
  expect(message).toContain(named)
})
