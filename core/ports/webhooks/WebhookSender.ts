// Sends one signed request to one endpoint, under the address policy. Never fails: every error is an outcome.
import { Context, type Effect } from "effect"
import type { Outcome } from "#core/domain/webhooks/Delivery.ts"

export interface Dispatch {
  readonly url: string
  /** The headers of the delivery; those of HTTP itself are added. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export class WebhookSender extends Context.Service<
  WebhookSender,
  { readonly send: (dispatch: Dispatch) => Effect.Effect<Outcome> }
>()("backlinks/ports/webhooks/WebhookSender") {}
