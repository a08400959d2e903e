// Fetches the metadata document of a client: one GET of a vetted address, JSON alone, without redirects, bounded in time, in size and in
// number at once: by host and network for strangers, and apart from them for members and for clients that are connected.
import { request } from "@effect/platform-node/Undici"
import { Duration, Effect, Layer } from "effect"

import {
  type ClientDocument,
  ClientDocuments,
  type DocumentAsker,
  DocumentRefused
} from "#core/ports/access/ClientDocuments.ts"
import { HostResolver } from "./HostResolver.ts"
import { pinnedDispatcher, type Trust } from "./PinnedDispatcher.ts"
import { SharedTurns, type TurnBounds } from "./SharedTurns.ts"
import { type Policy, type VettedTarget, vet } from "./VettedTarget.ts"

/** Below the time that the authorization server waits. */
const FETCH_TIMEOUT = Duration.seconds(2)

const MAX_BYTES = 16 * 1_024

/** Anyone may name a document, so that a flood of names must not become a flood of requests, nor stop those of others. */
const OF_STRANGERS: TurnBounds = {
  ...{ atOnce: 16, perHost: 2, perNetwork: 4 },
  ...{ waiting: { capacity: 256, perSource: 16 }, patience: "2 seconds" }
}
/** They have no share by network: where one names several silent hosts, each of these still has its share alone. */
const OF_CONNECTED: TurnBounds = { ...OF_STRANGERS, atOnce: 32 }

type Reason = DocumentRefused["reason"]

const first = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof header === "string" ? header : header?.[0]

/** `application/json`, or a type that is JSON by its suffix. */
const isJson = (contentType: string | undefined): boolean =>
  /^application\/(?:json|[a-z0-9.+-]+\+json)\s*(?:;|$)/i.test(contentType ?? "")

const faultOf = (status: number, contentType: string | undefined): Reason | undefined => {
  if (status >= 300 && status < 400) return "redirects"
  if (status === 429 || status >= 500) return "unavailable"
  if (status !== 200) return "status"
  return isJson(contentType) ? undefined : "media_type"
}

class Refused extends Error {
  readonly reason: Reason
  constructor(reason: Reason) {
    super(reason)
    this.reason = reason
  }
}

/** Throws `Refused`, or what the connection threw. Leaving the loop early closes the connection. */
const read = async (response: Awaited<ReturnType<typeof request>>): Promise<ClientDocument> => {
  const { statusCode, headers, body } = response
  const fault = faultOf(statusCode, first(headers["content-type"]))
  if (fault !== undefined) {
    // Destroying the unread body closes the connection and emits an error, which would crash the process without a listener.
    body.on("error", () => undefined).destroy()
    throw new Refused(fault)
  }
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Refused("too_large")
    chunks.push(chunk)
  }
  return { text: Buffer.concat(chunks).toString("utf8"), cacheControl: first(headers["cache-control"]) ?? null }
}

const get = Effect.fnUntraced(function* ({ target, addresses }: VettedTarget, trust: Trust) {
  const dispatcher = yield* pinnedDispatcher(addresses, trust)
  return yield* Effect.tryPromise({
    try: async (signal) =>
      read(await request(target.href, { headers: { accept: "application/json" }, dispatcher, signal })),
    catch: (error): Reason => (error instanceof Refused ? error.reason : "unreachable")
  })
}, Effect.scoped)

export const layer = (options: Policy & Trust): Layer.Layer<ClientDocuments, never, HostResolver> =>
  Layer.effect(
    ClientDocuments,
    Effect.gen(function* () {
      const resolver = yield* HostResolver
      const turnsOf: Readonly<Record<DocumentAsker["kind"], SharedTurns>> = {
        stranger: new SharedTurns(OF_STRANGERS),
        member: new SharedTurns(OF_STRANGERS),
        connected: new SharedTurns(OF_CONNECTED)
      }
      const { insecure, ...trust } = options
      return ClientDocuments.of({
        fetch: Effect.fn("ClientDocuments.fetch")((url: string, { kind, share }: DocumentAsker) => {
          const fetched = vet(url, { insecure }).pipe(
            Effect.mapError((): Reason => "address"),
            Effect.flatMap((vetted) => get(vetted, trust)),
            Effect.timeoutOrElse({ duration: FETCH_TIMEOUT, orElse: () => Effect.fail<Reason>("too_slow") })
          )
          return turnsOf[kind].run({ host: URL.parse(url)?.host ?? "", network: share }, fetched).pipe(
            Effect.mapError((reason: Reason) => new DocumentRefused({ reason })),
            Effect.provideService(HostResolver, resolver)
          )
        })
      })
    })
  )
