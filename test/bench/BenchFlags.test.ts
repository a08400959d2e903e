// The command line: what is wanted, and a sentence for what makes no sense.
import { Result } from "effect"
import { expect, it } from "vitest"
import { readFlags } from "#bench/BenchFlags.ts"
import { scenarios } from "#bench/scenarios/Scenarios.ts"

const read = (line: string) => readFlags(line.split(" ").filter((word) => word !== ""))

it("plays everything without a screen, a crowd on one, and what is asked for by name", () => {
  expect(read("--headless")).toEqual(Result.succeed({ mode: "headless", playlist: scenarios, seed: 1 }))
  const watched = Result.getOrThrow(read(""))
  expect(watched.mode === "watch" && watched.playlist.map(({ name }) => name)).toEqual(["orderEvents-hour"])
  const asked = Result.getOrThrow(read("--scenario replay --seed 42 --speed 1000"))
  expect(asked).toMatchObject({ mode: "watch", playlist: [{ name: "replay" }], seed: 42, speed: 1_000 })
  expect(read("--headless --actors 200 --orders 100000")).toEqual(
    Result.succeed({ mode: "soak", crowd: { actors: 200, orders: 100_000 }, seed: 1 })
  )
  expect(read("-h")).toEqual(Result.succeed({ mode: "help" }))
})

it("joins a deployment, with its token from elsewhere", () => {
  const joins = { mode: "attach", url: "http://127.0.0.1:3000", tokenFile: null, headless: false }
  expect(read("--attach http://127.0.0.1:3000/")).toEqual(Result.succeed(joins))
  expect(read("--attach http://127.0.0.1:3000 --headless --token-file t")).toEqual(
    Result.succeed({ ...joins, headless: true, tokenFile: "t" })
  )
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
  ["--scenario replay --orders 5", "orderEvents-hour"],
  ["--loud", "--loud"],
  ["extra", "extra"]
])("refuses %s in a sentence that names %s", (line, named) => {
  const refused = read(line)
  expect(Result.isFailure(refused) && refused.failure).toContain(named)
})
