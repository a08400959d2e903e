// IP addresses and networks as strings of bits, so that "is inside" reads as "starts with". It reads text strictly (RFC 4291
// and four plain decimals) and judges nothing: what an address may be used for is `PublicAddress`.
import { Option } from "effect"

/** An address in network order: 32 characters `0` or `1` in family 4, 128 in family 6. */
export interface IpAddress {
  readonly family: 4 | 6
  readonly bits: string
}

/** A network: the leading bits that all its addresses share. */
export interface IpNetwork {
  readonly family: 4 | 6
  readonly prefix: string
}

const octetShape = /^(?:0|[1-9][0-9]{0,2})$/
const groupShape = /^[0-9a-f]{1,4}$/i
const IPV6_BITS = 128

const toBits = (value: number, width: number): string => value.toString(2).padStart(width, "0")

/** Four decimals without leading zeros; the octal, hexadecimal and shortened forms of `inet_aton` are no addresses here. */
const parseIPv4 = (text: string): Option.Option<string> => {
  const octets = text.split(".")
  const sound = octets.length === 4 && octets.every((octet) => octetShape.test(octet) && Number(octet) <= 255)
  return sound ? Option.some(octets.map((octet) => toBits(Number(octet), 8)).join("")) : Option.none()
}

/** The bits of colon-separated groups of which the last may be a dotted quad (`ffff:127.0.0.1`). */
const parseGroups = (text: string): Option.Option<string> => {
  if (text === "") return Option.some("")
  const groups = text.split(":")
  const bits = groups.map((group, index) => {
    if (groupShape.test(group)) return Option.some(toBits(Number.parseInt(group, 16), 16))
    return index === groups.length - 1 ? parseIPv4(group) : Option.none()
  })
  return Option.map(Option.all(bits), (parts) => parts.join(""))
}

/** Eight groups, or fewer around one `::`. A zone (`%eth0`) is no part of an address that means the same everywhere. */
const parseIPv6 = (text: string): Option.Option<string> => {
  const [head = "", tail, ...more] = text.split("::")
  if (more.length > 0) return Option.none()
  if (tail === undefined) return Option.filter(parseGroups(head), (bits) => bits.length === IPV6_BITS)
  return Option.flatMap(parseGroups(head), (front) =>
    Option.flatMap(parseGroups(tail), (back) => {
      const gap = IPV6_BITS - front.length - back.length
      return gap >= 16 && !head.includes(".") ? Option.some(front + "0".repeat(gap) + back) : Option.none()
    })
  )
}

/** Reads an address without brackets or zone; none if the text is anything else. */
export const parseAddress = (text: string): Option.Option<IpAddress> =>
  text.includes(":")
    ? Option.map(parseIPv6(text), (bits) => ({ family: 6, bits }))
    : Option.map(parseIPv4(text), (bits) => ({ family: 4, bits }))

/** Reads `address/length`; none if the text is anything else, or if the address has bits beyond that length. */
export const parseNetwork = (text: string): Option.Option<IpNetwork> => {
  const [address = "", length = ""] = text.split("/")
  return Option.flatMap(parseAddress(address), ({ family, bits }) => {
    const prefix = bits.slice(0, Number(length))
    const sound = text === `${address}/${prefix.length}` && prefix.padEnd(bits.length, "0") === bits
    return sound ? Option.some({ family, prefix }) : Option.none()
  })
}

export const contains = (network: IpNetwork, address: IpAddress): boolean =>
  network.family === address.family && address.bits.startsWith(network.prefix)
