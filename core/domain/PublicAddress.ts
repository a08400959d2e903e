// Which IP addresses the service may dial on somebody's word: only those that belong to the open internet. Applied to
// addresses written in a URL, to those a name resolves to, and to the one that is dialled. Names and URLs: `TargetPolicy`.
import { Option, Result } from "effect"
import { contains, type IpAddress, type IpNetwork, parseAddress, parseNetwork } from "./IpAddress.ts"
import type { UrlFault } from "./Refusal.ts"

export type AddressFault = Extract<UrlFault, "loopback" | "private_address">

interface RefusedNetwork {
  readonly network: string
  readonly fault: AddressFault
  readonly source: string
}

/**
 * Refused networks, each with the document that sets it apart. Those outside 2000::/3 would be refused in any case (see
 * `globalUnicast`) and stand here so that the table can be read against the IANA special-purpose registries.
 */
export const REFUSED_NETWORKS: ReadonlyArray<RefusedNetwork> = [
  { network: "0.0.0.0/8", fault: "private_address", source: "RFC 791: this network; 0.0.0.0 reaches the host itself" },
  { network: "10.0.0.0/8", fault: "private_address", source: "RFC 1918: private use" },
  { network: "100.64.0.0/10", fault: "private_address", source: "RFC 6598: carrier-grade NAT" },
  { network: "127.0.0.0/8", fault: "loopback", source: "RFC 1122: loopback" },
  {
    network: "168.63.129.16/32",
    fault: "private_address",
    source: "Azure: the host's own services, from every machine"
  },
  { network: "169.254.0.0/16", fault: "private_address", source: "RFC 3927: link-local, and cloud metadata" },
  { network: "172.16.0.0/12", fault: "private_address", source: "RFC 1918: private use" },
  { network: "192.0.0.0/24", fault: "private_address", source: "RFC 6890: protocol assignments" },
  { network: "192.0.2.0/24", fault: "private_address", source: "RFC 5737: documentation" },
  { network: "192.88.99.0/24", fault: "private_address", source: "RFC 7526: former 6to4 relays" },
  { network: "192.168.0.0/16", fault: "private_address", source: "RFC 1918: private use" },
  { network: "198.18.0.0/15", fault: "private_address", source: "RFC 2544: benchmarking" },
  { network: "198.51.100.0/24", fault: "private_address", source: "RFC 5737: documentation" },
  { network: "203.0.113.0/24", fault: "private_address", source: "RFC 5737: documentation" },
  { network: "224.0.0.0/4", fault: "private_address", source: "RFC 5771: multicast" },
  { network: "240.0.0.0/4", fault: "private_address", source: "RFC 1112: reserved" },
  { network: "255.255.255.255/32", fault: "private_address", source: "RFC 919: broadcast" },
  { network: "::1/128", fault: "loopback", source: "RFC 4291: loopback" },
  { network: "::/96", fault: "private_address", source: "RFC 4291: unspecified, and IPv4-compatible" },
  { network: "64:ff9b::/96", fault: "private_address", source: "RFC 6052: NAT64" },
  { network: "64:ff9b:1::/48", fault: "private_address", source: "RFC 8215: local NAT64" },
  { network: "100::/64", fault: "private_address", source: "RFC 6666: discard" },
  {
    network: "2001::/23",
    fault: "private_address",
    source: "RFC 2928: protocol assignments, Teredo (RFC 4380) among them"
  },
  { network: "2001:db8::/32", fault: "private_address", source: "RFC 3849: documentation" },
  { network: "2002::/16", fault: "private_address", source: "RFC 3056: 6to4" },
  { network: "3fff::/20", fault: "private_address", source: "RFC 9637: documentation" },
  { network: "5f00::/16", fault: "private_address", source: "RFC 9602: segment routing" },
  { network: "fc00::/7", fault: "private_address", source: "RFC 4193: unique local" },
  { network: "fe80::/10", fault: "private_address", source: "RFC 4291: link-local" },
  { network: "fec0::/10", fault: "private_address", source: "RFC 3879: former site-local" },
  { network: "ff00::/8", fault: "private_address", source: "RFC 4291: multicast" }
]

// A slip in the table must stop the program while it loads, not open a network.
const networkOf = (text: string): IpNetwork =>
  Option.getOrThrowWith(parseNetwork(text), () => new Error(`not a network: ${text}`))

const refused = REFUSED_NETWORKS.map(({ network, fault }) => ({ network: networkOf(network), fault }))
const globalUnicast = networkOf("2000::/3") // RFC 4291, section 2.4: all that IANA hands out today
const ipv4Mapped = networkOf("::ffff:0.0.0.0/96") // RFC 4291, section 2.5.5.2

/** The address that is meant: an IPv4-mapped one is its IPv4 address, because that is what the kernel dials. */
const meant = (address: IpAddress): IpAddress =>
  contains(ipv4Mapped, address) ? { family: 4, bits: address.bits.slice(ipv4Mapped.prefix.length) } : address

const judge = (address: IpAddress): Result.Result<void, AddressFault> => {
  const row = refused.find(({ network }) => contains(network, address))
  if (row !== undefined) return Result.fail(row.fault)
  return address.family === 4 || contains(globalUnicast, address) ? Result.void : Result.fail("private_address")
}

/**
 * Whether an address, as text without brackets, is public. What is no address at all, or is bound to an interface
 * (`fe80::1%eth0`), counts as private: what cannot be judged is not dialled.
 */
export const checkAddress = (text: string): Result.Result<void, AddressFault> =>
  Option.match(parseAddress(text), {
    onNone: () => Result.fail("private_address" as const),
    onSome: (address) => judge(meant(address))
  })
