// Maps the error codes of Node, OpenSSL and undici to the fault of a request that got no response.
import type { AttemptFault } from "#core/domain/webhooks/Delivery.ts"

/** `exhausted`: this machine has no sockets, ports or memory left to open a connection. */
export type DialFault = Exclude<AttemptFault, "http_status" | "redirects"> | "exhausted"

const faultOfCode: Readonly<Record<string, DialFault>> = {
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  ECONNABORTED: "connection_reset",
  EPIPE: "connection_reset",
  UND_ERR_SOCKET: "connection_reset",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EHOSTDOWN: "unreachable",
  EACCES: "unreachable", // a local firewall, as is the next
  EPERM: "unreachable",
  EAFNOSUPPORT: "unreachable",
  ENETDOWN: "exhausted",
  EMFILE: "exhausted",
  ENFILE: "exhausted",
  ENOBUFS: "exhausted",
  ENOMEM: "exhausted",
  EADDRNOTAVAIL: "exhausted",
  EPROTO: "tls"
}

/** `CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`, `ERR_TLS_CERT_ALTNAME_INVALID`, `ERR_SSL_WRONG_VERSION_NUMBER` and the like. */
const TLS_CODE =
  /^ERR_(?:TLS|SSL)_|CERT|ISSUER|^UNABLE_TO_VERIFY|^INVALID_(?:CA|PURPOSE)$|^HOSTNAME_MISMATCH$|^PATH_LENGTH_EXCEEDED$/

const faultOf = (error: unknown): DialFault => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return faultOfCode[code] ?? (TLS_CODE.test(code) ? "tls" : "invalid_response")
}

const isLocal = (fault: DialFault): boolean => fault === "unreachable" || fault === "exhausted"

/** Where several addresses were tried, a fault of the receiver outweighs a local one. */
export const dialFault = (error: unknown): DialFault => {
  if (!(error instanceof AggregateError)) return faultOf(error)
  const faults = error.errors.map(faultOf)
  return faults.find((fault) => !isLocal(fault)) ?? faults[0] ?? "invalid_response"
}
