// The webhook receiver of the bench's agents: a server on loopback that checks every signature over the raw bytes, as the
// documentation asks, and can be broken and mended.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { Context, Effect, Layer, Ref, Result, Schema } from "effect"
import { verifySignature } from "#adapters/client/WebhookSignature.ts"
import { EventName } from "#adapters/contract/webhooks/Events.ts"
import { BoundedSet } from "#core/domain/shared/BoundedMap.ts"
import { EventId, type WebhookId } from "#core/domain/shared/Ids.ts"
import { EventBus } from "../events/EventBus.ts"
import { VirtualTime } from "../time/VirtualTime.ts"

interface Subscription {
  readonly webhookId: WebhookId
  readonly secret: string
}

export class WebhookReceiver extends Context.Service<
  WebhookReceiver,
  {
    /** Each webhook has its own URL. */
    readonly urlOf: (name: string) => string
    readonly register: (name: string, subscription: Subscription) => void
    /** While it does not work it answers 500. */
    readonly setWorks: (works: boolean) => Effect.Effect<void>
  }
>()("backlinks/bench/service/WebhookReceiver") {}

/** Repetitions are recognised among this many events. */
const MAX_EVENTS = 1_000

const isEventName = Schema.is(EventName)

/** The body as JSON; `null` for other text. */
const jsonOf = (body: Buffer): unknown =>
  Result.getOrNull(Schema.decodeResult(Schema.fromJsonString(Schema.Unknown))(body.toString()))

/** Resolves to the port. */
const serve = (handle: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer(handle)
        server.on("error", (error) => resume(Effect.die(error)))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    ),
    (server) => {
      const address = server.address()
      return address !== null && typeof address === "object" ? address.port : 0
    }
  )

export const layer = Layer.effect(
  WebhookReceiver,
  Effect.gen(function* () {
    const { emit } = yield* EventBus
    const { nowMs } = yield* VirtualTime
    const works = yield* Ref.make(true)
    const subscriptions = new Map<string, Subscription>()
    const received = new BoundedSet<string>(MAX_EVENTS)

    /** Returns the status to answer. An empty body is a check whether the receiver is there. */
    const receive = Effect.fnUntraced(function* (request: IncomingMessage) {
      const body = yield* Effect.orElseSucceed(
        Effect.tryPromise(() => buffer(request)),
        () => Buffer.alloc(0)
      )
      const isUp = yield* Ref.get(works)
      if (body.length === 0) return isUp ? 200 : 500
      const subscription = subscriptions.get((request.url ?? "").slice(1))
      const header = (name: string) => String(request.headers[name] ?? "")
      const event = header("service-event")
      if (subscription === undefined || !isEventName(event)) return 404
      const { webhookId, secret } = subscription
      const nowSeconds = Math.floor(nowMs() / 1_000)
      const verdict = yield* Effect.promise(() =>
        verifySignature({ header: header("service-signature"), body, secret, nowSeconds })
      )
      const verified = verdict._tag === "Accepted"
      const answeredStatus = isUp ? (verified ? 200 : 401) : 500
      const eventId = EventId.make(header("service-delivery"))
      const key = `${webhookId} ${eventId}`
      const repeated = received.has(key)
      received.add(key)
      emit({
        _tag: "DeliveryReceived",
        webhookId,
        eventId,
        event,
        verified,
        repeated,
        answeredStatus,
        body: jsonOf(body)
      })
      return answeredStatus
    })

    const run = Effect.runForkWith(yield* Effect.context<never>())
    const port = yield* serve((request, response) => {
      run(Effect.map(receive(request), (status) => void response.writeHead(status).end()))
    })
    return {
      urlOf: (name) => `http://127.0.0.1:${port}/${name}`,
      register: (name, subscription) => void subscriptions.set(name, subscription),
      setWorks: (isUp) =>
        Effect.andThen(
          Ref.set(works, isUp),
          Effect.sync(() => emit({ _tag: "ReceiverChanged", works: isUp }))
        )
    }
  })
)
