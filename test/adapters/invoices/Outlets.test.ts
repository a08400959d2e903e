// The outlets `directory` and `webhook`, each as every outlet, and what is their own.
import { mkdirSync } from "node:fs"
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { verifySignature } from "#adapters/client/WebhookSignature.ts"
import { showInvoice } from "#adapters/contract/invoicing/Invoices.ts"
import * as DirectoryOutlet from "#adapters/invoices/DirectoryOutlet.ts"
import { layerNone } from "#adapters/invoices/NoOutlet.ts"
import * as WebhookOutlet from "#adapters/invoices/WebhookOutlet.ts"
import * as HostResolver from "#adapters/outbound/HostResolver.ts"
import * as WebhookSender from "#adapters/outbound/WebhookSender.ts"
import { InvoiceOutlet } from "#core/ports/invoicing/InvoiceOutlet.ts"
import { numbered } from "./IssuedDocuments.ts"
import { type OutletUnderTest, outletSuite } from "./Outlets.suite.ts"

const SECRET = "a-secret-of-a-test-0123"

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "outlet-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const directoryOutlet = Effect.map(directory, (root): OutletUnderTest => {
  const path = join(root, "in")
  mkdirSync(path)
  const away = join(root, "away")
  const textOf = (name: string) => readFile(join(path, name), "utf8").catch(() => null)
  return {
    layer: DirectoryOutlet.layer(path).pipe(Layer.provide(NodeFileSystem.layer)),
    received: Effect.promise(async () => {
      const names = await readdir(path)
      // No part of a file is left over.
      expect(names.filter((name) => !/^[\w-]+\.(?:pdf|xml)$/.test(name))).toEqual([])
      const documents = names.filter((name) => name.endsWith(".pdf")).map((name) => name.slice(0, -4))
      return new Map(
        await Promise.all(
          documents.map(async (name) => {
            const pdf = new Uint8Array(await readFile(join(path, `${name}.pdf`)))
            return [name, { pdf, xml: await textOf(`${name}.xml`) }] as const
          })
        )
      )
    }),
    // A file is in the place of the directory.
    setBroken: (isBroken) =>
      Effect.promise(async () => {
        if (isBroken) {
          await rename(path, away)
          await writeFile(path, "")
        } else {
          await rm(path)
          await rename(away, path)
        }
      })
  }
})

interface Request {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Uint8Array
}

const platform = Effect.acquireRelease(
  Effect.promise(async () => {
    const requests: Array<Request> = []
    let status = 200
    const server = createServer((request, response) => {
      const chunks: Array<Uint8Array> = []
      request.on("data", (chunk: Uint8Array) => void chunks.push(chunk))
      request.on("end", () => {
        if (status === 200) requests.push({ headers: request.headers, body: Buffer.concat(chunks) })
        response.writeHead(status, { location: "http://127.0.0.1:1/" }).end()
      })
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    // A server that listens on a port has such an address.
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}/in`,
      requests,
      answerWith: (next: number) => {
        status = next
      },
      close: () => server.close()
    }
  }),
  ({ close }) => Effect.sync(close)
)

const sender = (insecure: boolean) =>
  WebhookSender.layer({ insecure, publicUrl: "https://service.example" }).pipe(Layer.provide(HostResolver.layerSystem))

const toUrl = (url: string, insecure = true) =>
  WebhookOutlet.layer({ url, secret: Redacted.make(SECRET), describe: showInvoice }).pipe(
    Layer.provide([sender(insecure), NodeCrypto.layerMac, NodeCrypto.layerDigest])
  )

const webhookOutlet = Effect.map(
  platform,
  ({ url, requests, answerWith }): OutletUnderTest => ({
    layer: toUrl(url),
    // Recognises repetitions by the id of the delivery, as a platform should.
    received: Effect.sync(() => {
      const byId = new Map(requests.map((one) => [String(one.headers["service-delivery"]), one]))
      return new Map(
        [...byId.values()].map(({ body }) => {
          const { data } = JSON.parse(Buffer.from(body).toString("utf8"))
          const { number, invoice_id } = data.invoice
          return [number ?? invoice_id, { pdf: new Uint8Array(Buffer.from(data.pdf, "base64")), xml: data.xml }]
        })
      )
    }),
    setBroken: (isBroken) => Effect.sync(() => answerWith(isBroken ? 503 : 200))
  })
)

outletSuite("directory", directoryOutlet)
outletSuite("webhook", webhookOutlet)

const [invoice] = Object.values(numbered)
if (invoice === undefined) throw new Error("there are numbered documents")
const document = { invoice, pdf: new Uint8Array([1, 2, 3]), xml: "<a/>" }

describe("the outlet webhook", () => {
  it.live("signs each request as webhooks are signed", () =>
    Effect.gen(function* () {
      const { url, requests } = yield* platform
      yield* Effect.provide(
        Effect.flatMap(InvoiceOutlet, ({ accept }) => accept(document)),
        toUrl(url)
      )
      const [request] = requests
      const header = String(request?.headers["service-signature"])
      expect(request?.headers["service-event"]).toBe("invoice.issued")
      const given = { header, body: request?.body ?? new Uint8Array(), nowSeconds: Math.floor(Date.now() / 1_000) }
      const verdictOn = (secret: string) => Effect.promise(() => verifySignature({ ...given, secret }))
      expect(yield* verdictOn(SECRET)).toEqual({ _tag: "Accepted" })
      expect(yield* verdictOn(`${SECRET}4`)).toMatchObject({ reason: "mismatch" })
    }).pipe(Effect.scoped)
  )

  it.live.each([301, 400, 404, 410, 500])("takes a %i for a refusal", (status) =>
    Effect.gen(function* () {
      const { url, answerWith } = yield* platform
      answerWith(status)
      const failed = yield* Effect.flip(
        Effect.provide(
          Effect.flatMap(InvoiceOutlet, ({ accept }) => accept(document)),
          toUrl(url)
        )
      )
      expect(failed.reason).toBe(`the platform answered ${status}`)
    }).pipe(Effect.scoped)
  )

  it.live("reaches no address that webhooks may not reach", () =>
    Effect.gen(function* () {
      const { url, requests } = yield* platform
      const failed = yield* Effect.flip(
        Effect.provide(
          Effect.flatMap(InvoiceOutlet, ({ accept }) => accept(document)),
          toUrl(url, false)
        )
      )
      expect(failed.reason).toContain("was not reached: address_refused")
      expect(requests).toEqual([])
    }).pipe(Effect.scoped)
  )
})

it.effect("the outlet none is off", () =>
  Effect.gen(function* () {
    const { isOn } = yield* InvoiceOutlet
    expect(isOn).toBe(false)
  }).pipe(Effect.provide(layerNone))
)
