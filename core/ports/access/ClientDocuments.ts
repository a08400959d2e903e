// Fetches what a client of the authorization server publishes about itself, under the address policy of webhooks.
import { Context, type Effect, Schema } from "effect"

/** `reason` names the rule, and nothing of the network behind it. */
export class DocumentRefused extends Schema.TaggedError<DocumentRefused>()("DocumentRefused", {
  reason: Schema.Literals(["address", "unreachable", "redirects", "status", "media_type", "too_large", "too_slow"])
}) {}

export interface ClientDocument {
  readonly text: string
  /** The header as it was sent; `null` if it was not. */
  readonly cacheControl: string | null
}

export class ClientDocuments extends Context.Service<
  ClientDocuments,
  { readonly fetch: (url: string) => Effect.Effect<ClientDocument, DocumentRefused> }
>()("backlinks/ports/access/ClientDocuments") {}
