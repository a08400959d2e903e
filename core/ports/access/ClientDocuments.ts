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

export class ClientDocuments extends Context.Service<
  ClientDocuments,
  {
    /**
     * `network`: of the stranger who names it, whose turns are shared by network and host; `null` for a client that is connected, and for
     * a member's own device, which have turns apart.
     */
    readonly fetch: (url: string, network: string | null) => Effect.Effect<ClientDocument, DocumentRefused>
  }
>()("backlinks/ports/access/ClientDocuments") {}
