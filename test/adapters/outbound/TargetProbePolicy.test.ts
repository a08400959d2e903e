// The probe with production settings: no connection is opened to a target that the policy refuses.
import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { layer as targetProbe } from "#adapters/outbound/TargetProbe.ts"
import { vet } from "#adapters/outbound/VettedTarget.ts"
import { TargetProbe } from "#core/ports/webhooks/TargetProbe.ts"
import { connectionTrap, ipv4, scriptedResolver, someLoopback } from "./Loopback.ts"

const PORT = 8_443
const publicAddress = ipv4("93.184.216.34")

const refusal = (url: string, resolver: ReturnType<typeof scriptedResolver>) =>
  TargetProbe.use(({ check }) => Effect.flip(check(url))).pipe(
    Effect.provide(
      Layer.provide(targetProbe({ insecure: false, publicUrl: "https://service.example" }), resolver.layer)
    )
  )

describe("the probe's policy", () => {
  it.effect.each([
    ["http://hooks.example/", "not_https"],
    ["javascript:alert(1)", "not_https"],
    ["https://user:pass@hooks.example/", "has_credentials"],
    ["https://hooks.example:8080/", "port_not_allowed"],
    ["https://localhost/", "loopback"],
    ["https://127.0.0.1/", "loopback"],
    ["https://2130706433/", "loopback"],
    ["https://[::1]/", "loopback"],
    ["https://169.254.169.254/latest", "private_address"],
    ["https://[::ffff:10.0.0.1]/", "private_address"],
    ["https://metadata.google.internal/", "private_address"]
  ] as const)("refuses %s by its text alone, without a look-up or a connection", ([url, reason]) =>
    Effect.gen(function* () {
      const resolver = scriptedResolver([publicAddress])
      expect(yield* refusal(url, resolver)).toMatchObject({ _tag: "WebhookUrlRefused", reason })
      expect(resolver.asked).toEqual([])
    })
  )

  it.effect("refuses a name with one private address among public ones, in any order, without a connection", () =>
    Effect.gen(function* () {
      const trapped = someLoopback()
      const trap = yield* connectionTrap(trapped, PORT)
      const url = `https://mixed.example:${PORT}/`
      for (const addresses of [[publicAddress, ipv4(trapped)], [ipv4(trapped), publicAddress], [ipv4(trapped)]]) {
        const resolver = scriptedResolver(addresses)
        expect((yield* refusal(url, resolver)).reason).toBe("loopback")
        expect(resolver.asked).toEqual(["mixed.example"])
      }
      const inside = scriptedResolver([publicAddress, ipv4("10.0.0.7")])
      expect((yield* refusal(url, inside)).reason).toBe("private_address")
      expect(trap.connections()).toBe(0)
    })
  )

  it.effect("refuses mapped, translated and scoped addresses from the resolver", () =>
    Effect.gen(function* () {
      for (const address of [
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "fe80::1%eth0",
        "not an address"
      ]) {
        const { reason } = yield* refusal("https://six.example/", scriptedResolver([{ address, family: 6 }]))
        expect(["loopback", "private_address"]).toContain(reason)
      }
    })
  )

  it.effect("refuses a name without addresses as unresolvable", () =>
    Effect.gen(function* () {
      const empty = scriptedResolver([])
      expect((yield* refusal("https://missing.example/", empty)).reason).toBe("unresolvable")
    })
  )

  it.effect("reveals the reason and nothing about the network", () =>
    Effect.gen(function* () {
      const refused = yield* refusal("https://mixed.example/", scriptedResolver([ipv4("10.1.2.3")]))
      expect(JSON.parse(JSON.stringify(refused))).toEqual({ _tag: "WebhookUrlRefused", reason: "private_address" })
      expect(`${refused.message} ${refused.stack}`).not.toContain("10.1.2.3")
    })
  )

  it.effect("returns exactly the vetted addresses, from one look-up, for the connection", () =>
    Effect.gen(function* () {
      const resolver = scriptedResolver([publicAddress], [ipv4("127.0.0.1")])
      const vetted = yield* Effect.provide(vet("https://rebind.example/in", { insecure: false }), resolver.layer)
      expect(vetted.addresses).toEqual([publicAddress])
      expect(vetted.target).toMatchObject({ href: "https://rebind.example/in", host: "rebind.example", port: 443 })
      expect(resolver.asked).toEqual(["rebind.example"])
    })
  )
})
