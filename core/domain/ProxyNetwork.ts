// A network of proxies whose forwarded addresses count. A single address has the longest prefix of its family.
export interface ProxyNetwork {
  readonly address: string
  readonly prefix: number
  readonly family: "ipv4" | "ipv6"
}
