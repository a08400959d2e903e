// The documents of clients. What was last read of a connected client is kept, and stands in for a day while its host is away or too busy:
// what strangers do to that host, or to this service, ends no connection.
import { Clock, Effect } from "effect"
import {
  type ClientDocument,
  type ClientDocuments,
  type DocumentAsker,
  isAway
} from "#core/ports/access/ClientDocuments.ts"
import type { Grants } from "#core/ports/access/Grants.ts"
import { hashOf } from "./Hashes.ts"
import type { Requester } from "./InProcess.ts"

const STALE_MS = 86_400_000

const hashFor = (url: string): string => hashOf(`document ${url}`)

const CONNECTED: DocumentAsker = { kind: "connected", share: null }

/** Someone who is signed in and looks at a page of consent is a member, too. */
const askerOf = (requester: Requester | undefined): DocumentAsker =>
  requester === undefined || requester.network === null
    ? { kind: "member", share: requester?.name ?? null }
    : { kind: "stranger", share: requester.network }

interface Stores {
  readonly documents: ClientDocuments["Service"]
  readonly grants: Pick<Grants["Service"], "find" | "isGranted" | "upsert">
}

export const makeKnownDocuments = ({ documents, grants }: Stores) => {
  const keep = Effect.fnUntraced(function* (url: string, text: string) {
    const createdAtMs = yield* Clock.currentTimeMillis
    yield* grants.upsert({
      ...{ kind: "Document", hash: hashFor(url), grantHash: null, clientHash: null, payload: text },
      ...{ createdAtMs, expiresAtMs: createdAtMs + STALE_MS },
      ...{ consumedAtMs: null, successor: null, requester: null, unused: false, access: null }
    })
  })

  const keptOf = Effect.fnUntraced(function* (url: string) {
    const found = yield* grants.find("Document", hashFor(url))
    if (found === null || found.expiresAtMs <= (yield* Clock.currentTimeMillis)) return null
    const document: ClientDocument = { text: found.payload, cacheControl: null }
    return document
  })

  return {
    keep,
    /** `requester`: who names the client; none while a signed-in person looks at it. */
    fetch: Effect.fnUntraced(function* (url: string, requester: Requester | undefined) {
      const isConnected = yield* grants.isGranted(hashOf(url))
      const fetched = documents.fetch(url, isConnected ? CONNECTED : askerOf(requester))
      if (!isConnected) return yield* fetched
      return yield* Effect.tap(fetched, ({ text }) => keep(url, text)).pipe(
        Effect.catchTag("DocumentRefused", (refused) =>
          Effect.flatMap(isAway(refused) ? keptOf(url) : Effect.succeed(null), (kept) =>
            kept === null ? Effect.fail(refused) : Effect.succeed(kept)
          )
        )
      )
    })
  }
}

export type KnownDocuments = ReturnType<typeof makeKnownDocuments>
