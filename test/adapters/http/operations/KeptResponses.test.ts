// Responses that depend on the catalogue alone: one for each version, and none that is older than the version.
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { describe, expect } from "vitest"
import { keptResponses, taggedResponse } from "#adapters/http/operations/KeptResponses.ts"

/** A catalogue whose body is its version, counted each time it is made. */
const catalogue = () => {
  const state = { version: "1", made: 0 }
  const respond = keptResponses(Effect.sync(() => state.version))
  const body = Effect.sync(() => ({ version: state.version, made: ++state.made }))
  return { state, respond, body, get: (key: string) => Effect.map(respond(key, body), ({ body }) => body) }
}

describe("responses that depend on the catalogue", () => {
  it.effect("are kept for each key from its second request on, and made again for each version", () =>
    Effect.gen(function* () {
      const { state, get } = catalogue()
      expect([yield* get("a"), yield* get("a"), yield* get("a"), yield* get("b"), yield* get("b")]).toEqual([
        { version: "1", made: 1 },
        { version: "1", made: 2 },
        { version: "1", made: 2 },
        { version: "1", made: 3 },
        { version: "1", made: 4 }
      ])
      state.version = "2"
      expect([yield* get("a"), yield* get("a")]).toEqual([
        { version: "2", made: 5 },
        { version: "2", made: 5 }
      ])
    })
  )

  it.effect("that are requested once displace none of those that are requested often", () =>
    Effect.gen(function* () {
      const { respond, get } = catalogue()
      const often = [yield* get("often"), yield* get("often")].at(-1)
      const long = Effect.succeed({ text: "x".repeat(1_000_000) })
      for (let page = 0; page < 20; page++) yield* respond(`page ${page}`, long)
      expect(yield* get("often")).toEqual(often)
    })
  )

  it.effect("are not kept when the catalogue changed while they were made, nor when making them failed", () =>
    Effect.gen(function* () {
      const { state, respond, get } = catalogue()
      for (const key of ["a", "c"]) yield* get(key)
      const old = yield* Deferred.make<{ readonly version: string }>()
      const slow = yield* Effect.forkChild(respond("a", Deferred.await(old)), { startImmediately: true })
      state.version = "2"
      expect(yield* get("b")).toEqual({ version: "2", made: 3 })
      yield* Deferred.succeed(old, { version: "1" })
      expect((yield* Fiber.join(slow)).body).toEqual({ version: "1" })
      expect(yield* get("a")).toEqual({ version: "2", made: 4 })
      expect(yield* Effect.flip(respond("c", Effect.fail("refused")))).toBe("refused")
      expect(yield* get("c")).toEqual({ version: "2", made: 5 })
    })
  )

  it.effect("are bounded by their length: the oldest are made again", () =>
    Effect.gen(function* () {
      const { respond } = catalogue()
      let made = 0
      const page = (key: string) =>
        respond(
          key,
          Effect.sync(() => ({ made: ++made, text: "x".repeat(4_000_000) }))
        )
      for (const key of ["a", "b", "c", "d", "a", "b", "c", "d"]) yield* page(key)
      yield* page("d")
      expect(made).toBe(8)
      yield* page("a")
      expect(made).toBe(9)
    })
  )

  it("have a tag of their text", () => {
    const tag = (body: object) => taggedResponse({ ...body }).headers?.["etag"]
    expect(tag({ a: 1 })).toMatch(/^"[\w-]{43}"$/)
    expect(tag({ a: 1 })).toBe(tag({ a: 1 }))
    expect(tag({ a: 1 })).not.toBe(tag({ a: 2 }))
  })
})
