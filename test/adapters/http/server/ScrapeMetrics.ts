// Reads `/metrics` as a collector does, and computes the change between two scrapes.
import { Effect } from "effect"
import { expect } from "vitest"
import { call } from "#test/scenarios/HttpCalls.ts"

/** Values by series as written: `name{label="value"}`, labels in their order. */
export type Series = ReadonlyMap<string, number>

export const scrape = Effect.map(call("GET", "/metrics"), ({ status, headers, text }): Series => {
  expect(status, text).toBe(200)
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  return new Map(
    samples.map((line) => {
      const end = line.lastIndexOf(" ")
      return [line.slice(0, end), Number(line.slice(end + 1))] as const
    })
  )
})

const isCounter = (series: string): boolean => /^\w+_total(?:\{|$)/.test(series)

/** The change of each counter during an effect, without unchanged ones. */
export const changesDuring = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const before = yield* scrape
  const outcome = yield* effect
  const after = yield* scrape
  const moved = [...after]
    .filter(([series]) => isCounter(series))
    .map(([series, value]) => {
      const by = value - (before.get(series) ?? 0)
      return [series.replace(/^backlinks_/, ""), by] as const
    })
  return { outcome, moved: Object.fromEntries(moved.filter(([, by]) => by !== 0)) }
})
