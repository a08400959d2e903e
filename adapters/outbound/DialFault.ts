// What an error of a request says: whose fault it is that no answer came, and which. Knows the codes of Node, OpenSSL and
// undici, and nothing of webhooks.
import type { AttemptFault } from "#core/domain/Delivery.ts"

/** `exhausted`: our machine has no means left to dial with. */
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
  EACCES: "unreachable", // a firewall of ours, as is the next
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

/** `CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`, `ERR_TLS_CERT_ALTNAME_INVALID`, `ERR_SSL_WRONG_VERSION_NUMBER` and kin. */
const ofTls =
  /^ERR_(?:TLS|SSL)_|CERT|ISSUER|^UNABLE_TO_VERIFY|^INVALID_(?:CA|PURPOSE)$|^HOSTNAME_MISMATCH$|^PATH_LENGTH_EXCEEDED$/

const judge = (error: unknown): DialFault => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return faultOfCode[code] ?? (ofTls.test(code) ? "tls" : "invalid_response")
}

const ofRouting = (fault: DialFault): boolean => fault === "unreachable" || fault === "exhausted"

/** Where several addresses were tried, what the receiver did counts for more than what we could not do. */
export const dialFault = (error: unknown): DialFault => {
  if (!(error instanceof AggregateError)) return judge(error)
  const faults = error.errors.map(judge)
  return faults.find((fault) => !ofRouting(fault)) ?? faults[0] ?? "invalid_response"
}
