// The network that a client calls from, by which what strangers ask for is bounded: an IPv4 address, or the /64 of an IPv6 address.
import { BlockList, isIP } from "node:net"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"

/** A network of proxies whose forwarded addresses count. A single address has the longest prefix of its family. */
export interface ProxyNetwork {
  readonly address: string
  readonly prefix: number
  readonly family: "ipv4" | "ipv6"
}

/** `::ffff:192.0.2.1` is `192.0.2.1`; text that is no address is "unknown". */
const addressOf = (text: string): string => {
  const address = text
    .trim()
    .replace(/^\[|\]$/g, "")
    .replace(/^::ffff:(?=\d+\.)/i, "")
  return isIP(address) === 0 ? "unknown" : address
}

const networkOfAddress = (address: string): string => {
  if (isIP(address) !== 6) return address
  // The URL parser writes the eight groups in their shortest form.
  const [head = "", tail = ""] = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1).split("::")
  const [before, after] = [head.split(":").filter(Boolean), tail.split(":").filter(Boolean)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0")
  return `${[...before, ...zeros, ...after].slice(0, 4).join(":")}::/64`
}

/**
 * `forwardedFor` is the header `X-Forwarded-For`. Only what trusted proxies have added counts: the client is the last address that is
 * not a trusted proxy.
 */
export const makeNetworkOf = (proxies: ReadonlyArray<ProxyNetwork>) => {
  const trusted = new BlockList()
  for (const { address, prefix, family } of proxies) trusted.addSubnet(address, prefix, family)
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")

  return (remoteAddress: string, forwardedFor: string | undefined): string => {
    let address = addressOf(remoteAddress)
    const forwarded = (forwardedFor ?? "").split(",").filter((text) => text.trim() !== "")
    while (isTrusted(address) && forwarded.length > 0) address = addressOf(forwarded.pop() ?? "")
    return networkOfAddress(address)
  }
}

const FORWARDED =
  "A proxy forwards requests, and TRUSTED_PROXIES does not name it: all its clients count as one network, so that one of them can use up what strangers may ask for. Set TRUSTED_PROXIES to the proxy's address, such as 127.0.0.1, and have the proxy set X-Forwarded-For."

/** Returns the network of a request. Without trusted proxies, the first request that was forwarded is warned of. */
export const makeClientNetwork = (proxies: ReadonlyArray<ProxyNetwork>) => {
  const networkOf = makeNetworkOf(proxies)
  let isSilent = proxies.length > 0
  return ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): Effect.Effect<string> => {
    const forwardedFor = headers["x-forwarded-for"]
    const network = Effect.succeed(
      networkOf(
        Option.getOrElse(remoteAddress, () => ""),
        forwardedFor
      )
    )
    if (isSilent || (forwardedFor === undefined && headers["forwarded"] === undefined)) return network
    isSilent = true
    return Effect.andThen(Effect.logWarning(FORWARDED), network)
  }
}

export type ClientNetwork = ReturnType<typeof makeClientNetwork>
