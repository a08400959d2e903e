// The database that DATABASE_URL names. What a parameter asks for is done, or the parameter is refused by its name: one that was ignored
// would leave a connection in plain text that was meant to be encrypted.
import { readFileSync } from "node:fs"
import { type Config, Redacted, Result } from "effect"
import { parsedSecret } from "./ConfigSchemas.ts"

/** How connections are encrypted, as `node:tls` takes it. The server's certificate is always verified. */
export interface DatabaseTls {
  /** The authorities that are trusted, in PEM; by default those of Node. */
  readonly ca?: string
  /** Only the authority is verified, and not the server's name. */
  readonly checkServerIdentity?: () => undefined
}

export interface DatabaseAddress {
  /** For the driver, which reads what it knows of it. */
  readonly url: Redacted.Redacted
  /** Absent: as the URL says, in plain text or, by `prefer`, where the server has no TLS. */
  readonly tls?: DatabaseTls
}

const PLAIN = ["disable", "allow", "prefer"]
const ENCRYPTED = ["require", "verify-ca", "verify-full"]

/** The values that each parameter may have; `null`: any. */
const PARAMETERS: Readonly<Record<string, ReadonlyArray<string> | null>> = {
  sslmode: [...PLAIN, ...ENCRYPTED],
  ssl: ["true"],
  sslrootcert: null,
  application_name: null,
  connect_timeout: null,
  // The service writes: a server that only reads is refused at the start.
  target_session_attrs: ["any", "read-write", "primary"],
  options: null,
  // The driver proves its password without binding it to the channel.
  channel_binding: ["disable", "prefer"]
}

const TAKEN = Object.keys(PARAMETERS).filter((name) => name !== "ssl")

const faultIn = (parameters: URLSearchParams): string | undefined => {
  for (const [name, value] of parameters) {
    const allowed = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined
    if (allowed === undefined) return `has the parameter ${name}; it may have ${TAKEN.join(", ")}`
    if (allowed !== null && !allowed.includes(value)) return `has ${name} with another value than ${allowed.join(", ")}`
    if (parameters.getAll(name).length > 1) return `has the parameter ${name} several times`
  }
  if (parameters.has("ssl") && parameters.has("sslmode")) return "has both ssl and sslmode; leave ssl out"
  return undefined
}

/** The file of `sslrootcert`, or why it cannot be used. */
const readAuthorities = (path: string): Result.Result<string, string> => {
  try {
    const text = readFileSync(path, "utf8")
    return text.includes("-----BEGIN CERTIFICATE-----")
      ? Result.succeed(text)
      : Result.fail("names a file by sslrootcert that has no certificate in PEM")
  } catch {
    return Result.fail("names a file by sslrootcert that cannot be read")
  }
}

const tlsOf = (parameters: URLSearchParams): Result.Result<DatabaseTls | undefined, string> => {
  const mode = parameters.has("ssl") ? "require" : (parameters.get("sslmode") ?? "disable")
  const file = parameters.get("sslrootcert")
  if (file !== null && !ENCRYPTED.includes(mode))
    return Result.fail("has sslrootcert, which needs sslmode=require, verify-ca or verify-full")
  if (!ENCRYPTED.includes(mode)) return Result.succeed(undefined)
  const verifying: DatabaseTls = mode === "verify-ca" ? { checkServerIdentity: () => undefined } : {}
  return file === null || file === "system"
    ? Result.succeed(verifying)
    : Result.map(readAuthorities(file), (ca) => ({ ...verifying, ca }))
}

const addressOf = (text: string): Result.Result<DatabaseAddress, string> => {
  const url = URL.parse(text)
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol))
    return Result.fail(
      "must be a URL such as postgres://user:password@host:5432/backlinks, with what is special in it percent-encoded"
    )
  const fault = faultIn(url.searchParams)
  if (fault !== undefined) return Result.fail(fault)
  return Result.map(tlsOf(url.searchParams), (tls) => ({
    url: Redacted.make(text),
    ...(tls === undefined ? {} : { tls })
  }))
}

/** Checked here because the driver would print a URL that it cannot parse, password included. */
export const databaseUrl = (name: string): Config.Config<DatabaseAddress> => parsedSecret(name, addressOf)
