// The command line: what is wanted, and a sentence for what makes no sense.
import { Result } from "effect"
import { expect, it } from "vitest"
import { readFlags } from "#bench/Flags.ts"
import { scenarios } from "#bench/scenarios/Scenarios.ts"

const read = (line: string) => readFlags(line.split(" ").filter((word) => word !== ""))

it("plays everything without a screen, a crowd on one, and what is asked for by name", () => {
  expect(read("--headless")).toEqual(Result.succeed({ mode: "headless", playlist: scenarios, seed: 1 }))
  const watched = Result.getOrThrow(read(""))
  expect(watched.mode === "watch" && watched.playlist.map(({ name }) => name)).toEqual(["rush-hour"])
  const asked = Result.getOrThrow(read("--scenario replay --seed 42 --speed 1000"))
  expect(asked).toMatchObject({ mode: "watch", playlist: [{ name: "replay" }], seed: 42, speed: 1_000 })
  expect(read("--headless --actors 200 --orders 100000")).toEqual(
    Result.succeed({ mode: "soak", crowd: { actors: 200, orders: 100_000 }, seed: 1 })
  )
  expect(read("-h")).toEqual(Result.succeed({ mode: "help" }))
})

it.each([
  ["--scenario nothing", "nothing"],
  ["--seed one", "--seed"],
  ["--speed 20000", "--speed"],
  ["--speed 0", "--speed"],
  ["--orders 0", "--orders"],
  ["--scenario replay --orders 5", "rush-hour"],
  ["--loud", "--loud"],
  ["extra", "extra"]
])("refuses %s in a sentence that names %s", (line, named) => {
  const refused = read(line)
  expect(Result.isFailure(refused) && refused.failure).toContain(named)
})
