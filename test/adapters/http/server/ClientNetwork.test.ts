// The network of a client: of its connection, or what trusted proxies say.
import { describe, expect, it } from "vitest"
import { makeNetworkOf } from "#adapters/http/server/ClientNetwork.ts"

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
