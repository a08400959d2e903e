// The network of a client: of its connection, or what trusted proxies say.
import { Effect, Logger } from "effect"
import { HttpServerRequest } from "effect/http"
import { describe, expect, it } from "vitest"
import { makeClientNetwork, makeNetworkOf } from "#adapters/http/server/ClientNetwork.ts"

const direct = makeNetworkOf([])
const behindProxies = makeNetworkOf([
  { address: "10.0.0.0", prefix: 8, family: "ipv4" },
  { address: "2001:db8::7", prefix: 128, family: "ipv6" }
])

describe("the network of a client", () => {
  it("is its address, or the first half of an IPv6 address", () => {
    expect(direct("192.0.2.1", undefined)).toBe("192.0.2.1")
    expect(direct("::ffff:192.0.2.1", undefined)).toBe("192.0.2.1")
    expect(direct("2001:db8:0:0:1::9", undefined)).toBe("2001:db8:0:0::/64")
    expect(direct("2001:db8::9", undefined)).toBe("2001:db8:0:0::/64")
    expect(direct("::1", undefined)).toBe("0:0:0:0::/64")
    expect(direct("", undefined)).toBe("unknown")
  })

  it("is no forwarded address, unless a trusted proxy forwards it", () => {
    expect(direct("192.0.2.1", "198.51.100.1")).toBe("192.0.2.1")
    expect(behindProxies("192.0.2.1", "198.51.100.1")).toBe("192.0.2.1")
    expect(behindProxies("10.1.2.3", "198.51.100.1")).toBe("198.51.100.1")
    expect(behindProxies("2001:db8::7", "198.51.100.1")).toBe("198.51.100.1")
    expect(behindProxies("10.1.2.3", undefined)).toBe("10.1.2.3")
  })

  it("is the last address that no trusted proxy has, whatever the client wrote before it", () => {
    expect(behindProxies("10.1.2.3", "1.1.1.1, 198.51.100.1, 10.9.9.9")).toBe("198.51.100.1")
    expect(behindProxies("10.1.2.3", "1.1.1.1, nonsense")).toBe("unknown")
  })
})

describe("the first forwarded request", () => {
  const forwarded = { "x-forwarded-for": "198.51.100.1" }
  const requestWith = (headers: Readonly<Record<string, string>>) =>
    HttpServerRequest.fromWeb(new Request("http://127.0.0.1/account", { headers }))

  const warningsOf = (
    proxies: Parameters<typeof makeClientNetwork>[0],
    requests: ReadonlyArray<Record<string, string>>
  ) => {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    const networkOf = makeClientNetwork(proxies)
    const all = Effect.forEach(requests, (headers) => networkOf(requestWith(headers)))
    Effect.runSync(Effect.provide(all, Logger.layer([logger])))
    return lines
  }

  it("is warned of once where no proxy is trusted, and not where one is or nothing is forwarded", () => {
    const warned = warningsOf([], [{}, forwarded, forwarded, { forwarded: "for=198.51.100.1" }])
    expect(warned).toEqual([expect.stringMatching(/TRUSTED_PROXIES.*"WARN"/)])
    expect(warningsOf([], [{ forwarded: "for=198.51.100.1" }])).toHaveLength(1)
    expect(warningsOf([], [{}, {}])).toEqual([])
    expect(warningsOf([{ address: "10.0.0.0", prefix: 8, family: "ipv4" }], [forwarded])).toEqual([])
  })
})
