// The resolver: all addresses of a name, an empty result for a name without addresses, and an error when the look-up fails.
import { NODATA, NOTFOUND, SERVFAIL } from "node:dns"
import { describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { HostResolver, layerSystem, layerWith } from "#adapters/outbound/HostResolver.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"

const resolve = (host: string) => HostResolver.use((resolver) => resolver.resolve(host))

const failing = (code: string) => layerWith(() => Promise.reject(Object.assign(new Error(code), { code })))

describe("the system's resolver", () => {
  it.live("resolves localhost", () =>
    Effect.gen(function* () {
      const found = yield* resolve("localhost")
      expect(found.map(({ address }) => address)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/)])
      )
    }).pipe(Effect.provide(layerSystem))
  )

  // The resolver fails if there is no network, which gives no address either.
  it.live("finds no address for a name that cannot exist", () =>
    Effect.gen(function* () {
      const found = yield* resolve("missing.invalid").pipe(
        Effect.catchTag("ResolverUnavailable", () => Effect.succeed([]))
      )
      expect(found).toEqual([])
    }).pipe(Effect.provide(layerSystem))
  )
})

describe("a resolver", () => {
  it.effect("returns every address, in order", () =>
    Effect.gen(function* () {
      expect(yield* resolve("two.example")).toEqual([
        { address: "2001:db8::1", family: 6 },
        { address: "192.0.2.1", family: 4 }
      ])
    }).pipe(
      Effect.provide(
        layerWith(async () => [
          { address: "2001:db8::1", family: 6 },
          { address: "192.0.2.1", family: 4 }
        ])
      )
    )
  )

  it.effect.each([NOTFOUND, NODATA])("returns no address for %s", (code) =>
    Effect.gen(function* () {
      expect(yield* resolve("missing.example")).toEqual([])
    }).pipe(Effect.provide(failing(code)))
  )

  it.effect("fails with ResolverUnavailable when the look-up fails", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(resolve("broken.example"))).toMatchObject({ _tag: "ResolverUnavailable" })
    }).pipe(Effect.provide(failing(SERVFAIL)))
  )

  it.effect("fails after three seconds without a response", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(resolve("slow.example")), { startImmediately: true })
      yield* TestClock.adjust("2999 millis")
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "ResolverUnavailable" })
    }).pipe(Effect.provide(layerWith(() => new Promise(() => undefined))))
  )

  it.effect("shares one look-up between concurrent calls, and repeats it after five seconds", () => {
    let asked = 0
    const counting = layerWith(async () => [{ address: `192.0.2.${++asked}`, family: 4 }])
    return Effect.gen(function* () {
      const first = [{ address: "192.0.2.1", family: 4 }]
      expect(yield* concurrently(times(20, () => resolve("busy.example")))).toEqual(times(20, () => first))
      yield* TestClock.adjust("4999 millis")
      expect(yield* resolve("busy.example")).toEqual(first)
      yield* TestClock.adjust("1 millis")
      expect(yield* resolve("busy.example")).toEqual([{ address: "192.0.2.2", family: 4 }])
    }).pipe(Effect.provide(counting))
  })

  it.effect.each([NOTFOUND, SERVFAIL])("does not cache %s", (code) => {
    let asked = 0
    const found = { address: "192.0.2.1", family: 4 }
    const recovering = layerWith(() =>
      asked++ === 0 ? Promise.reject(Object.assign(new Error(code), { code })) : Promise.resolve([found])
    )
    return Effect.gen(function* () {
      yield* Effect.exit(resolve("new.example"))
      expect(yield* resolve("new.example")).toEqual([found])
    }).pipe(Effect.provide(recovering))
  })
})
