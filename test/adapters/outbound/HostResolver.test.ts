// The resolver: all addresses of a name, none where it has none, and a failure of its own where nobody could say.
import { NODATA, NOTFOUND, SERVFAIL } from "node:dns"
import { describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { HostResolver, layerSystem, layerWith } from "#adapters/outbound/HostResolver.ts"
import { concurrently, times } from "#test/ports/StoreSuite.ts"

const resolve = (host: string) => HostResolver.use((resolver) => resolver.resolve(host))

const failing = (code: string) => layerWith(() => Promise.reject(Object.assign(new Error(code), { code })))

describe("the system's resolver", () => {
  it.live("knows localhost", () =>
    Effect.gen(function* () {
      const found = yield* resolve("localhost")
      expect(found.map(({ address }) => address)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/)])
      )
    }).pipe(Effect.provide(layerSystem))
  )

  // Without a network the resolver can only fail, which is no address either.
  it.live("finds nothing under a name that cannot exist", () =>
    Effect.gen(function* () {
      const found = yield* resolve("nobody.invalid").pipe(Effect.catchTag("ResolverSilent", () => Effect.succeed([])))
      expect(found).toEqual([])
    }).pipe(Effect.provide(layerSystem))
  )
})

describe("a resolver", () => {
  it.effect("passes on every address, in order", () =>
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

  it.effect.each([NOTFOUND, NODATA])("takes %s for a name that has no address", (code) =>
    Effect.gen(function* () {
      expect(yield* resolve("nobody.example")).toEqual([])
    }).pipe(Effect.provide(failing(code)))
  )

  it.effect("says that nobody could tell where looking failed", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(resolve("broken.example"))).toMatchObject({ _tag: "ResolverSilent" })
    }).pipe(Effect.provide(failing(SERVFAIL)))
  )

  it.effect("waits three seconds for an answer and not longer", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(resolve("slow.example")), { startImmediately: true })
      yield* TestClock.adjust("2999 millis")
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "ResolverSilent" })
    }).pipe(Effect.provide(layerWith(() => new Promise(() => undefined))))
  )

  it.effect("asks once for many who ask at once, and again when five seconds are over", () => {
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

  it.effect.each([NOTFOUND, SERVFAIL])("asks again at once where it was told %s", (code) => {
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
