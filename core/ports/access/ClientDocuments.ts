// Fetches what a client of the authorization server publishes about itself, under the address policy of webhooks.
import { Context, type Effect, Schema } from "effect"

/** `reason` names the rule, and nothing of the network behind it. `busy`: its turn did not come; `unavailable`: its host says so. */
export class DocumentRefused extends Schema.TaggedError<DocumentRefused>()("DocumentRefused", {
  reason: Schema.Literals([
    ...["address", "redirects", "status", "media_type", "too_large"],
    ...["unreachable", "too_slow", "unavailable", "busy"]
  ] as const)
}) {}

const AWAY: ReadonlyArray<DocumentRefused["reason"]> = ["unreachable", "too_slow", "unavailable", "busy"]

/** Whether it says nothing about the document: another time, it may be there as before. */
export const isAway = ({ reason }: DocumentRefused): boolean => AWAY.includes(reason)

export interface ClientDocument {
  readonly text: string
  /** The header as it was sent; `null` if it was not. */
  readonly cacheControl: string | null
}

/**
 * Who names a document. Clients that are connected, devices of members and strangers have turns apart, which are shared by host and by
 * `share`: a member, or a stranger's network; `null` has no such share.
 */
export interface DocumentAsker {
  readonly kind: "connected" | "member" | "stranger"
  readonly share: string | null
}

export class ClientDocuments extends Context.Service<
  ClientDocuments,
  {
    readonly fetch: (url: string, asker: DocumentAsker) => Effect.Effect<ClientDocument, DocumentRefused>
  }
>()("backlinks/ports/access/ClientDocuments") {}
