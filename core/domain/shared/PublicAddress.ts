// The address policy: the service dials public IP addresses only. It applies to addresses written in a URL, to the results of name
// resolution, and to the address that is dialled.
import { Option, Result, Schema } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/** Why the service does not call a URL. */
export const UrlFault = Schema.Literals([
  "not_https",
  "has_credentials",
  "port_not_allowed",
  "loopback",
  "private_address",
  "unresolvable",
  "redirects",
  "unreachable"
])
export type UrlFault = typeof UrlFault.Type

export type AddressFault = Extract<UrlFault, "loopback" | "private_address">

interface RefusedNetwork {
  readonly network: string
  readonly fault: AddressFault
  readonly source: string
}

/**
 * Refused networks, each with the document that sets it apart. IPv6 networks outside 2000::/3 would be refused in any case (see
 * `GLOBAL_UNICAST`); they are listed so that the table can be compared with the IANA special-purpose registries.
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

// Both throw while the module loads, so that a typing error in the table cannot open a network.
const refused = REFUSED_NETWORKS.map(({ network, fault }) => ({ network: IpNetwork.fromStringUnsafe(network), fault }))
const GLOBAL_UNICAST = IpNetwork.fromStringUnsafe("2000::/3") // RFC 4291, section 2.4: all that IANA allocates today

/** Most hosts are names, and a failed parse costs fifty times this match. */
const addressCharacters = /^[0-9a-f.:]+$/i

/** An address without brackets, zone, leading zeros or the shortened forms of `inet_aton`; none if the text is anything else. */
export const parseAddress = (text: string): Option.Option<NetAddress.IpAddress> =>
  addressCharacters.test(text) ? Result.getSuccess(NetAddress.ipFromString(text)) : Option.none()

const judge = (address: NetAddress.IpAddress): Result.Result<void, AddressFault> => {
  const row = refused.find(({ network }) => IpNetwork.contains(network, address))
  if (row !== undefined) return Result.fail(row.fault)
  const isPublic = NetAddress.isIpv4Address(address) || IpNetwork.contains(GLOBAL_UNICAST, address)
  return isPublic ? Result.void : Result.fail("private_address")
}

/**
 * Whether an address, as text without brackets, is public. An IPv4-mapped IPv6 address is judged as its IPv4 address, which is what the
 * kernel dials. Text that is not an address, or is bound to an interface (`fe80::1%eth0`), counts as private.
 */
export const checkAddress = (text: string): Result.Result<void, AddressFault> =>
  Option.match(parseAddress(text), {
    onNone: () => Result.fail("private_address" as const),
    onSome: (address) => judge(NetAddress.toCanonical(address))
  })
