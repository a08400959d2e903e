// Which stories a key leads through.
import { expect, it } from "vitest"
import { rushHour, scenarios, storiesFrom } from "#bench/scenarios/Scenarios.ts"

const names = (stories: typeof scenarios) => stories.map(({ name }) => name)

it("has each story once, the chosen one first and the others in their order", () => {
  const all = names(scenarios)
  for (const [index, one] of scenarios.entries()) {
    expect(names(storiesFrom([one]))).toEqual([...all.slice(index), ...all.slice(0, index)])
  }
})

it("stays within several chosen ones", () => {
  expect(storiesFrom(scenarios)).toBe(scenarios)
  expect(names(storiesFrom([rushHour, scenarios[0]]))).toEqual(["rush-hour", scenarios[0].name])
})
