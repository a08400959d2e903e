// A start behind PgBouncer, against a server that is not there, and over TLS: each is proved before an order is taken.
import { execFileSync, spawn } from "node:child_process"
import { accessSync, chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, connect as openSocket, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createSecureContext, TLSSocket } from "node:tls"
import { it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted, Schedule } from "effect"
import { describe, expect } from "vitest"
import { storeFaultMessage } from "#adapters/app/StoreFaultMessage.ts"
import { databaseUrl } from "#adapters/config/DatabaseUrl.ts"
import * as Database from "#adapters/postgres/database/Database.ts"
import { freePort } from "#adapters/postgres/embedded/Postmaster.ts"
import { freshDatabase } from "../TestDatabase.ts"

const POOLER = "/usr/sbin/pgbouncer"

const isInstalled = (path: string): boolean => {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}

/** CI never leaves it out. */
const isLeftOut = !isInstalled(POOLER) && process.env["CI"] === undefined

const address = (url: string) =>
  Effect.orDie(databaseUrl("DATABASE_URL").parse(ConfigProvider.fromUnknown({ DATABASE_URL: url })))

/** Opens the database as the service does; the sentence in which a start that fails says why. */
const start = (url: string) =>
  Effect.flatMap(address(url), (known) =>
    Effect.scoped(Layer.build(Layer.fresh(Database.layer(known)))).pipe(
      Effect.as("started"),
      Effect.catch((fault) => Effect.succeed(storeFaultMessage(fault)))
    )
  )

const withQuery = (url: Redacted.Redacted, query: string, port?: number): string => {
  const changed = new URL(Redacted.value(url))
  changed.search = query
  if (port !== undefined) changed.port = String(port)
  return changed.href
}

/** The settings of a session that PgBouncer does not know. */
const IGNORED = [
  ...["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "default_transaction_isolation"],
  ...["jit", "enable_seqscan", "random_page_cost", "plan_cache_mode", "enable_hashjoin", "enable_mergejoin"]
]

/** A PgBouncer before this database; the URL of the database behind it. */
const pooled = Effect.fnUntraced(function* (url: Redacted.Redacted, mode: "session" | "transaction", ignored: string) {
  const { hostname, port, username, password, pathname } = new URL(Redacted.value(url))
  const listenPort = yield* Effect.promise(freePort)
  const folder = mkdtempSync(join(tmpdir(), "pooler-"))
  const file = join(folder, "pooler.ini")
  const behind = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: listenPort,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: mode,
    ignore_startup_parameters: ignored
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(file, ["[databases]", `shop = ${behind}`, "[pgbouncer]", ...lines, ""].join("\n"))
  chmodSync(folder, 0o755)
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "postgres"] : []
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn(POOLER, ["-q", ...user, file], { stdio: "ignore" })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const at = `postgres://${username}:${password}@127.0.0.1:${listenPort}/shop`
  const answers = Effect.callback<void, string>((resume) => {
    const socket = openSocket(listenPort, "127.0.0.1", () => resume(Effect.void))
    socket.on("error", (error) => resume(Effect.fail(error.message)))
    return Effect.sync(() => socket.destroy())
  })
  yield* Effect.retry(answers, Schedule.spaced("50 millis"))
  return at
})

const SHARED = "The database is behind a pooler that shares sessions between transactions"

describe.skipIf(isLeftOut)("behind a pooler", () => {
  it.live("that gives a session to each transaction, the start is refused with a sentence", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const ignoring = yield* pooled(url, "transaction", IGNORED.join(", "))
      expect(yield* start(ignoring)).toContain(SHARED)
      expect(yield* start(yield* pooled(url, "transaction", ""))).toContain(SHARED)
    }).pipe(Effect.scoped)
  )

  it.live("that keeps sessions, the service starts", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      expect(yield* start(yield* pooled(url, "session", IGNORED.join(", ")))).toBe("started")
    }).pipe(Effect.scoped)
  )
})

/** An authority, and a certificate of it for `localhost`. */
const certificates = Effect.sync(() => {
  const folder = mkdtempSync(join(tmpdir(), "tls-"))
  const at = (name: string) => join(folder, name)
  const openssl = (...args: ReadonlyArray<string>) => execFileSync("openssl", args, { stdio: "ignore" })
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
  openssl("req", "-x509", ...key, "-keyout", at("ca.key"), "-out", at("ca.pem"), "-subj", "/CN=authority", "-days", "2")
  const signed = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-addext", "subjectAltName=DNS:localhost"]
  openssl("req", "-x509", ...key, ...signed, "-keyout", at("key"), "-out", at("cert"), "-subj", "/CN=x", "-days", "2")
  return { authority: at("ca.pem"), key: readFileSync(at("key"), "utf8"), cert: readFileSync(at("cert"), "utf8") }
})

const SSL_REQUEST_BYTES = 8

/** What a client encrypts for a server with TLS, which passes it on to this database; its port. */
const encrypted = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  { key, cert }: { readonly key: string; readonly cert: string }
) {
  const { port, hostname } = new URL(Redacted.value(url))
  const secureContext = createSecureContext({ key, cert })
  const serve = (socket: Socket) => {
    socket.on("error", () => {})
    socket.once("data", (first) => {
      if (first.length !== SSL_REQUEST_BYTES) {
        socket.destroy()
        return
      }
      socket.write("S")
      const secure = new TLSSocket(socket, { isServer: true, secureContext })
      const behind = openSocket(Number(port), hostname)
      for (const one of [secure, behind]) one.on("error", () => {})
      secure.pipe(behind).pipe(secure)
    })
  }
  const server = yield* Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const opened = createServer(serve).listen(0, "localhost", () => resume(Effect.succeed(opened)))
    }),
    (opened) => Effect.sync(() => opened.close())
  )
  const known = server.address()
  return typeof known === "object" ? (known?.port ?? 0) : 0
})

describe("over TLS", () => {
  it.live("a server that has none is refused where it is asked for, in each spelling", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      for (const query of ["ssl=true", "sslmode=require", "sslmode=verify-full"]) {
        const said = yield* start(withQuery(url, query))
        expect(said).toContain(`The database at ${new URL(Redacted.value(url)).host} cannot be used`)
      }
      expect(yield* start(withQuery(url, "sslmode=prefer&application_name=x&connect_timeout=5"))).toBe("started")
    })
  )

  it.live(
    "the certificate is verified by the authority of sslrootcert, and its name unless that is left to verify-ca",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabase
        const known = yield* certificates
        const port = yield* encrypted(url, known)
        const asked = (query: string, host = "localhost") =>
          start(withQuery(url, query, port).replace("127.0.0.1", host))
        const rootCert = `sslrootcert=${encodeURIComponent(known.authority)}`
        for (const mode of ["require", "verify-ca", "verify-full"])
          expect(yield* asked(`sslmode=${mode}&${rootCert}`)).toBe("started")
        expect(yield* asked("sslmode=require")).toContain("certificate")
        expect(yield* asked(`sslmode=verify-full&${rootCert}`, "127.0.0.1")).toContain("cannot be used")
      }).pipe(Effect.scoped)
  )
})

it.live("a server that is not there is named by host and port", () =>
  Effect.gen(function* () {
    const port = yield* Effect.promise(freePort)
    expect(yield* start(`postgres://u:p@127.0.0.1:${port}/d`)).toContain(
      `The database at 127.0.0.1:${port} cannot be used`
    )
  })
)
