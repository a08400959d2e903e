// The production resolver, DNS alone, against a real name server on loopback.
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { HostResolver, layerDns } from "#adapters/outbound/HostResolver.ts"
import { connectionTrap, manyLoopbacks, someLoopback } from "#test/adapters/outbound/Loopback.ts"
import { nameServer, type Zone } from "./NameServer.ts"
import { attempt, sender } from "./SenderSetup.ts"

const zones: Record<string, Zone> = {
  "both.example": { a: ["192.0.2.1", "192.0.2.2"], aaaa: ["2001:db8::1"] },
  "four.example": { a: ["192.0.2.4"] },
  "six.example": { aaaa: ["2001:db8::6"] },
  "empty.example": {},
  "broken.example": { failure: "server failure" },
  "silent.example": { failure: "silence" }
}

const resolve = Effect.fnUntraced(function* (host: string) {
  const { server } = yield* nameServer(zones)
  return yield* HostResolver.use((resolver) => resolver.resolve(host)).pipe(Effect.provide(layerDns([server])))
})

describe("a look-up by DNS", () => {
  it.live.each([
    ["both.example", ["192.0.2.1", "192.0.2.2", "2001:db8::1"]],
    ["four.example", ["192.0.2.4"]],
    ["six.example", ["2001:db8::6"]],
    ["empty.example", []],
    ["missing.example", []]
  ] as const)("finds every address of %s", ([host, addresses]) =>
    Effect.gen(function* () {
      const found = yield* resolve(host)
      expect(found).toEqual(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))
    })
  )

  it.live.each(["broken.example", "silent.example"])("fails for %s", (host) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(resolve(host))).toMatchObject({ _tag: "ResolverUnavailable" })
    })
  )
})

describe.skipIf(!manyLoopbacks)("a name server that rebinds", () => {
  it.live("gains nothing: its answer at each attempt is vetted before any connection is opened", () =>
    Effect.gen(function* () {
      const trapped = someLoopback()
      const trap = yield* connectionTrap(trapped, 8_443)
      const turning: Record<string, Zone> = { "turning.example": { a: ["192.0.2.1"] } }
      const { server, asked } = yield* nameServer(turning)
      const once = () =>
        Effect.provide(attempt(`https://turning.example:8443/`), sender({ insecure: false }, layerDns([server])))
      for (const inside of [trapped, "10.0.0.1", "169.254.169.254", "100.64.0.1", "192.168.1.1", "0.0.0.0"]) {
        turning["turning.example"] = { a: [inside] }
        expect(yield* once()).toMatchObject({ kind: "failed", fault: "address_refused" })
      }
      for (const inside of ["::1", "::ffff:7f00:1", "fc00::1", "fe80::1", "64:ff9b::7f00:1", "2002:7f00:1::"]) {
        turning["turning.example"] = { aaaa: [inside] }
        expect(yield* once()).toMatchObject({ kind: "failed", fault: "address_refused" })
      }
      expect(new Set(asked)).toEqual(new Set(["turning.example"]))
      expect(trap.connections()).toBe(0)
    })
  )
})
