// How addresses and networks are read, compared with node:net and with the canonical form of the URL parser.
import { isIP } from "node:net"
import { Option, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as PublicAddress from "#core/domain/shared/PublicAddress.ts"
import { property } from "#test/Property.ts"

const group = fc.nat({ max: 0xffff })
const groups = fc.array(fc.oneof(fc.constant(0), group), { minLength: 8, maxLength: 8 })
const bitsOf = (numbers: ReadonlyArray<number>, width: number): string =>
  numbers.map((number) => number.toString(2).padStart(width, "0")).join("")

/** Text that is an address, nearly one, or made of the same characters. */
const addressLike = fc.oneof(
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc
    .tuple(fc.ipV6(), fc.nat(), fc.constantFrom("", ":", "::", ".", "0", "f", "1.2.3.4"))
    .map(
      ([text, at, insert]) => text.slice(0, at % (text.length + 1)) + insert + text.slice((at % (text.length + 1)) + 1)
    ),
  fc.string({ unit: fc.constantFrom(..."0123456789abcdefF:.:."), maxLength: 24 }),
  fc
    .array(fc.constantFrom("0", "1", "ffff", "12345", "", "1.2.3.4", "::", ":"), { maxLength: 10 })
    .map((parts) => parts.join(":"))
)

/** An address as its bits in network order. */
const plain = (address: NetAddress.IpAddress) =>
  NetAddress.isIpv4Address(address)
    ? { family: 4, bits: bitsOf(NetAddress.ipv4ToOctets(address), 8) }
    : { family: 6, bits: bitsOf(NetAddress.ipv6ToSegments(address), 16) }

const parseAddress = (text: string) => Option.map(PublicAddress.parseAddress(text), plain)

const parseNetwork = (text: string) =>
  Option.map(Result.getSuccess(IpNetwork.fromString(text)), (network) => {
    const { family, bits } = plain(network.address)
    return { network, family, prefix: bits.slice(0, network.prefixLength) }
  })

const read = (text: string) => Option.getOrThrow(parseAddress(text))

describe("parseAddress", () => {
  it("reads four decimals", () => {
    expect(read("192.168.1.255")).toEqual({ family: 4, bits: "11000000101010000000000111111111" })
  })

  it.each([
    ["::", [0, 0, 0, 0, 0, 0, 0, 0]],
    ["::1", [0, 0, 0, 0, 0, 0, 0, 1]],
    ["1::", [1, 0, 0, 0, 0, 0, 0, 0]],
    ["2001:DB8::8:800:200C:417A", [0x2001, 0xdb8, 0, 0, 8, 0x800, 0x200c, 0x417a]],
    ["1:2:3:4:5:6:7:8", [1, 2, 3, 4, 5, 6, 7, 8]],
    ["1:2:3:4:5:6:7::", [1, 2, 3, 4, 5, 6, 7, 0]],
    ["::2:3:4:5:6:7:8", [0, 2, 3, 4, 5, 6, 7, 8]],
    ["::ffff:127.0.0.1", [0, 0, 0, 0, 0, 0xffff, 0x7f00, 1]],
    ["1:2:3:4:5:6:127.0.0.1", [1, 2, 3, 4, 5, 6, 0x7f00, 1]],
    ["64:ff9b::10.1.2.3", [0x64, 0xff9b, 0, 0, 0, 0, 0x0a01, 0x0203]]
  ])("reads %s", (text, groups) => {
    expect(read(text)).toEqual({ family: 6, bits: bitsOf(groups, 16) })
  })

  it.each([
    "",
    "1",
    "1.2.3",
    "1.2.3.4.",
    ".1.2.3.4",
    "1.2.3.4.5",
    "256.1.1.1",
    "01.2.3.4",
    "0x7f.0.0.1",
    "1.2.3.-4",
    "1.2.3.4 ",
    "１.2.3.4",
    ":",
    ":::",
    "1",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
    "::1:2:3:4:5:6:7:8",
    "1::2::3",
    ":1::",
    "1::2:",
    "12345::",
    "g::",
    "::1%lo",
    "fe80::1%25eth0",
    "[::1]",
    "::1/128",
    "1.2.3.4::",
    "::1.2.3.4:1",
    "::1.2.3",
    "::256.1.1.1",
    "1:2:3:4:5:6:7:1.2.3.4"
  ])("does not take %j for an address", (text) => {
    expect(parseAddress(text)).toEqual(Option.none())
  })

  property("agrees with node:net on what an address is", [addressLike], (text) => {
    expect(Option.match(parseAddress(text), { onNone: () => 0, onSome: ({ family }) => family })).toBe(isIP(text))
  })

  property("reads the same bits from every spelling of an IPv6 address", [groups], (groups) => {
    const plain = groups.map((group) => group.toString(16)).join(":")
    const padded = groups.map((group) => group.toString(16).padStart(4, "0").toUpperCase()).join(":")
    const shortened = new URL(`http://[${plain}]`).hostname.slice(1, -1)
    const quad = groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".")
    const mixed = `${groups
      .slice(0, 6)
      .map((group) => group.toString(16))
      .join(":")}:${quad}`
    for (const text of [plain, padded, shortened, mixed]) {
      expect(read(text)).toEqual({ family: 6, bits: bitsOf(groups, 16) })
    }
  })
})

describe("parseNetwork", () => {
  it.each(["10.0.0.0/8", "0.0.0.0/0", "1.2.3.4/32", "2000::/3", "::/0", "::1/128", "::ffff:0.0.0.0/96"])(
    "reads %s",
    (text) => {
      const length = Number(text.split("/")[1])
      const network = Option.getOrThrow(parseNetwork(text))
      expect(network.prefix).toHaveLength(length)
      expect(network.family).toBe(text.includes(":") ? 6 : 4)
    }
  )

  it.each([
    "10.0.0.0",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/08",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0.1/8",
    "::1/127",
    "::/129",
    "x/8"
  ])("does not take %j for a network", (text) => {
    expect(parseNetwork(text)).toEqual(Option.none())
  })
})

describe("contains", () => {
  property(
    "holds every address against the bits they share, and never across families",
    [fc.nat({ max: 0xffffffff }), fc.nat({ max: 0xffffffff }), fc.nat({ max: 32 })],
    (left, right, length) => {
      const quad = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join(".")
      const mask = length === 0 ? 0 : (0xffffffff << (32 - length)) >>> 0
      const { network } = Option.getOrThrow(parseNetwork(`${quad((left & mask) >>> 0)}/${length}`))
      const contains = (text: string) => IpNetwork.contains(network, NetAddress.ipFromStringUnsafe(text))
      expect(contains(quad(left))).toBe(true)
      expect(contains(quad(right))).toBe(((left ^ right) & mask) === 0)
      expect(contains(`${(left >>> 16).toString(16)}:${(left & 0xffff).toString(16)}::`)).toBe(false)
    }
  )
})
