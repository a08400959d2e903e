// Which addresses are public: both ends of every refused network, their neighbours, and random addresses compared with node:net's
// BlockList.
import { BlockList } from "node:net"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { checkAddress, REFUSED_NETWORKS } from "#core/domain/shared/PublicAddress.ts"
import { property } from "#test/Property.ts"

const widthOf = (network: string): number => (network.includes(":") ? 128 : 32)
const textOf = (value: bigint, width: number): string =>
  width === 32
    ? [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".")
    : [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16)).join(":")
const valueOf = (address: string): bigint =>
  address.includes(":")
    ? fullGroups(address).reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
    : address.split(".").reduce((sum, octet) => (sum << 8n) | BigInt(octet), 0n)
const fullGroups = (address: string): ReadonlyArray<string> => {
  const [head = [], tail = []] = address.split("::").map((half) => half.split(":").filter((group) => group !== ""))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail]
}
const endsOf = (network: string): readonly [first: bigint, last: bigint] => {
  const [address = "", length = ""] = network.split("/")
  const first = valueOf(address)
  return [first, first + (1n << BigInt(widthOf(network) - Number(length))) - 1n]
}

const isPublic = (address: string): boolean => Result.isSuccess(checkAddress(address))

// A second list on purpose: it detects rows that are lost from the table or narrowed by mistake.
const contracted = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "255.255.255.255/32",
  "168.63.129.16/32",
  "::/128",
  "::1/128",
  "::/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001::/32",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8"
]
const blocked = new BlockList()
for (const network of contracted) {
  const [address = "", length = ""] = network.split("/")
  blocked.addSubnet(address, Number(length), widthOf(network) === 32 ? "ipv4" : "ipv6")
}

/** Addresses inside or next to a refused network, where an error of one bit shows. */
const near = (width: 32 | 128): fc.Arbitrary<bigint> =>
  fc.constantFrom(...contracted.filter((network) => widthOf(network) === width)).chain((network) => {
    const [first, last] = endsOf(network)
    const highest = (1n << BigInt(width)) - 1n
    return fc.bigInt({ min: first > 8n ? first - 8n : 0n, max: last + 8n > highest ? highest : last + 8n })
  })

describe("checkAddress", () => {
  it.each(contracted)("refuses %s at both ends and in the middle", (network) => {
    const [first, last] = endsOf(network)
    for (const value of [first, (first + last) / 2n, last]) {
      expect(isPublic(textOf(value, widthOf(network)))).toBe(false)
    }
  })

  it.each(REFUSED_NETWORKS)("refuses $network for the fault of its row ($source)", ({ network, fault }) => {
    const [, last] = endsOf(network)
    expect(checkAddress(textOf(last, widthOf(network)))).toEqual(Result.fail(fault))
  })

  it("calls only the loopback networks loopback", () => {
    const loopback = REFUSED_NETWORKS.filter(({ fault }) => fault === "loopback").map(({ network }) => network)
    expect(loopback).toEqual(["127.0.0.0/8", "::1/128"])
  })

  it.each([
    "1.0.0.0",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "168.63.129.17",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.0.3.0",
    "192.88.98.255",
    "192.88.100.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "198.51.99.255",
    "198.51.101.0",
    "203.0.112.255",
    "203.0.114.0",
    "223.255.255.255",
    "8.8.8.8",
    "93.184.215.14",
    "2000::",
    "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:200::",
    "2001:db7:ffff::",
    "2001:db9::",
    "2001:4860:4860::8888",
    "2003::",
    "2606:4700::1111",
    "3ffe:ffff::",
    "3fff:1000::",
    "3fff:ffff::",
    "::ffff:8.8.8.8",
    "::ffff:808:808"
  ])("allows %s, a neighbour of a refused network or a well-known address", (address) => {
    expect(checkAddress(address)).toEqual(Result.void)
  })

  it.each([
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:7f00:1", "loopback"],
    ["0:0:0:0:0:ffff:10.0.0.1", "private_address"],
    ["::ffff:169.254.169.254", "private_address"],
    ["::ffff:0:127.0.0.1", "private_address"],
    ["::127.0.0.1", "private_address"],
    ["::", "private_address"],
    ["64:ff9b::8.8.8.8", "private_address"],
    ["2002:7f00:1::", "private_address"],
    ["1fff:ffff::", "private_address"],
    ["4000::", "private_address"],
    ["fd00:ec2::254", "private_address"],
    ["fe80::1%eth0", "private_address"],
    ["2606:4700::1111%eth0", "private_address"],
    ["::1%lo", "private_address"]
  ] as const)("refuses %s as %s", (address, fault) => {
    expect(checkAddress(address)).toEqual(Result.fail(fault))
  })

  it.each([
    "",
    "localhost",
    "8.8.8",
    "08.8.8.8",
    "0x08080808",
    "134744072",
    "[2606:4700::1111]",
    "8.8.8.8 ",
    "8.8.8.8:443",
    "2606:4700::1111/128"
  ])("refuses %j, which is not an address", (text) => {
    expect(checkAddress(text)).toEqual(Result.fail("private_address"))
  })

  property(
    "agrees with node:net's BlockList on random IPv4 addresses and on their mapped form",
    [fc.oneof(near(32), fc.bigInt({ min: 0n, max: 0xffffffffn }))],
    (value) => {
      const address = textOf(value, 32)
      expect(isPublic(address)).toBe(!blocked.check(address))
      expect(checkAddress(`::ffff:${address}`)).toEqual(checkAddress(address))
    }
  )

  const anywhere = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n })
  const global = fc.bigInt({ min: 1n << 125n, max: (1n << 126n) - 1n })

  property(
    "agrees with node:net's BlockList on random IPv6 addresses of 2000::/3, and refuses all outside it",
    [fc.oneof(near(128), global, anywhere)],
    (value) => {
      const address = textOf(value, 128)
      const mapped = value >> 32n === 0xffffn
      fc.pre(!mapped)
      expect(isPublic(address)).toBe(value >> 125n === 1n && !blocked.check(address, "ipv6"))
    }
  )
})
