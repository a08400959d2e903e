// The service as its manual has it run: a process on PostgreSQL behind a proxy, with a mail server. Documents of assistants are loopback's.
import { randomBytes } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer as createHttpsServer } from "node:https"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { readable, smtpServer } from "#test/adapters/mail/SmtpServer.ts"
import { CALLBACK } from "#test/adapters/oauth/Flow.ts"
import { selfSigned } from "#test/adapters/outbound/SelfSigned.ts"
import { type DirectAccess, openDirectAccess } from "../kills/DirectAccess.ts"
import { InstanceSlot } from "../kills/Instances.ts"
import { type Proxy, startProxy } from "./Proxy.ts"

export interface Shop {
  readonly port: number
  readonly direct: DirectAccess
  /** The tokens of the links that were mailed to this address so far. */
  readonly linksTo: (email: string) => ReadonlyArray<string>
  /** The document of an assistant. */
  readonly document: string
  /** A port at which connections are taken, and nothing is ever answered. */
  readonly silentPort: number
  readonly end: () => Promise<void>
}

const listen = (server: ReturnType<typeof createServer>, host: string): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port)) // it listens on a port
  })

const startSilent = async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket))
  })
  const port = await listen(server, "0.0.0.0")
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port, close }
}

const startDocuments = async () => {
  const identity = selfSigned("localhost")
  const folder = await mkdtemp(join(tmpdir(), "floods-"))
  const trusted = join(folder, "trusted.pem")
  await writeFile(trusted, identity.cert)
  let document = ""
  const server = createHttpsServer(identity, (_request, response) => {
    const metadata = { client_id: document, client_name: "A documented assistant", redirect_uris: [CALLBACK] }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata))
  })
  document = `https://localhost:${await listen(server, "127.0.0.1")}/client.json`
  const close = async () => {
    server.close()
    await rm(folder, { recursive: true })
  }
  return { trusted, document, close }
}

const startMail = async () => {
  const scope = await Effect.runPromise(Scope.make())
  const mailbox = await Effect.runPromise(Scope.provide(smtpServer, scope))
  return { ...mailbox, end: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

export interface ShopPlan {
  readonly databaseUrl: string
  /** Whether the service is told of its proxy, as the manual says. */
  readonly isProxyNamed: boolean
}

const environmentFor = ({ databaseUrl, isProxyNamed }: ShopPlan, proxy: Proxy, smtpPort: number) => ({
  STORE: "postgres",
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  PUBLIC_URL: `http://localhost:${proxy.port}`,
  ...(isProxyNamed ? { TRUSTED_PROXIES: "127.0.0.1" } : {}),
  PAYMENTS: "simulated",
  SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  MAIL_FROM: "service@shop.example",
  WEBHOOK_INSECURE_TARGETS: "true",
  LOG_LEVEL: "error"
})

export const startShop = async (plan: ShopPlan): Promise<Shop> => {
  const [proxy, mailbox, silent, documents] = await Promise.all([
    startProxy(),
    startMail(),
    startSilent(),
    startDocuments()
  ])
  const environment = environmentFor(plan, proxy, mailbox.port)
  const direct = openDirectAccess(environment, plan.databaseUrl)
  const service = new InstanceSlot({ ...environment, NODE_EXTRA_CA_CERTS: documents.trusted })
  await service.start()
  proxy.forwardTo(Number(new URL(service.baseUrl ?? "").port))
  return {
    port: proxy.port,
    direct,
    linksTo: (email) =>
      mailbox.received
        .filter(({ recipients }) => recipients.includes(email))
        .flatMap((mail) => /\/account\/sign-in\?token=([\w-]+)/.exec(readable(mail))?.[1] ?? []),
    document: documents.document,
    silentPort: silent.port,
    end: async () => {
      proxy.close()
      silent.close()
      await service.kill()
      await Promise.all([direct.close(), mailbox.end(), documents.close()])
    }
  }
}
