// The receiver of webhooks that the bench's agents run: a server on loopback that checks every signature over the raw bytes, as
// the documentation asks, tells what it got, and can be broken and mended. The service knows nothing of it but its URL.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { NodeCrypto } from "@effect/platform-node"
import { Context, Effect, Layer, Ref, Schema } from "effect"
import { EventName } from "#adapters/contract/Events.ts"
import { verify } from "#core/domain/Signature.ts"
import { EventBus } from "../events/EventBus.ts"
import { VirtualTime } from "../time/VirtualTime.ts"

/** What it needs to know of a webhook, and only its owner can emit. */
interface Subscribed {
  readonly webhookId: string
  readonly secret: string
}

export class Receiver extends Context.Service<
  Receiver,
  {
    /** For a webhook of its own: what is sent there is told apart by it. */
    readonly urlOf: (name: string) => string
    readonly expect: (name: string, subscribed: Subscribed) => void
    readonly setWorks: (works: boolean) => Effect.Effect<void>
    readonly works: Effect.Effect<boolean>
  }
>()("backlinks/bench/Receiver") {}

/** How far back it recognises an event that comes again. */
const REMEMBERED_EVENTS = 1_000

const isEventName = Schema.is(EventName)

const bodyOf = (request: IncomingMessage): Effect.Effect<Buffer> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => resume(Effect.succeed(Buffer.concat(chunks))))
    request.on("error", () => resume(Effect.succeed(Buffer.concat(chunks))))
  })

const listening = (handle: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly close: Effect.Effect<void> }>((resume) => {
      const server = createServer(handle)
      const close = Effect.callback<void>((done) => {
        server.close(() => done(Effect.void))
        server.closeAllConnections()
      })
      server.on("error", (error) => resume(Effect.die(error)))
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed({ port: address !== null && typeof address === "object" ? address.port : 0, close }))
      })
    }),
    ({ close }) => close
  )

/** The last so many, to know one again. */
const makeMemory = (size: number) => {
  const seen = new Set<string>()
  /** Whether it was there already. */
  return (id: string): boolean => {
    const known = seen.delete(id)
    seen.add(id)
    const [oldest] = seen
    if (seen.size > size && oldest !== undefined) seen.delete(oldest)
    return known
  }
}

export const layer = Layer.effect(
  Receiver,
  Effect.gen(function* () {
    const { emit } = yield* EventBus
    const { nowMs } = yield* VirtualTime
    const works = yield* Ref.make(true)
    const subscribed = new Map<string, Subscribed>()
    const cameBefore = makeMemory(REMEMBERED_EVENTS)

    /** The status to answer. A request with an empty body asks whether anybody is here. */
    const receive = Effect.fnUntraced(
      function* (request: IncomingMessage) {
        const body = yield* bodyOf(request)
        const known = subscribed.get((request.url ?? "").slice(1))
        const isUp = yield* Ref.get(works)
        if (body.length === 0) return isUp ? 200 : 500
        const header = (name: string) => String(request.headers[name] ?? "")
        const event = header("service-event")
        if (known === undefined || !isEventName(event)) return 404
        const { webhookId, secret } = known
        const nowSeconds = Math.floor(nowMs() / 1_000)
        const verdict = yield* verify({ header: header("service-signature"), body, secret, nowSeconds })
        const verified = verdict._tag === "Accepted"
        const answeredStatus = isUp ? (verified ? 200 : 401) : 500
        const eventId = header("service-delivery")
        const repeated = cameBefore(`${webhookId} ${eventId}`)
        emit({ _tag: "DeliveryReceived", webhookId, eventId, event, verified, repeated, answeredStatus })
        return answeredStatus
      },
      Effect.provide([NodeCrypto.layerDigest, NodeCrypto.layerMac])
    )

    const context = yield* Effect.context<never>()
    const run = Effect.runForkWith(context)
    const { port } = yield* listening((request, response) => {
      run(Effect.map(receive(request), (status) => void response.writeHead(status).end()))
    })
    return {
      urlOf: (name) => `http://127.0.0.1:${port}/${name}`,
      expect: (name, one) => void subscribed.set(name, one),
      works: Ref.get(works),
      setWorks: (isUp) =>
        Effect.andThen(
          Ref.set(works, isUp),
          Effect.sync(() => emit({ _tag: "ReceiverChanged", works: isUp }))
        )
    }
  })
)
