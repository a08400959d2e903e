// Checks a webhook URL before it is subscribed: URL policy, name resolution, and one empty request.
import { Context, type Effect } from "effect"
import type { WebhookUrlRefused } from "#core/domain/webhooks/WebhookRefusal.ts"

export class TargetProbe extends Context.Service<
  TargetProbe,
  { readonly check: (url: string) => Effect.Effect<void, WebhookUrlRefused> }
>()("backlinks/ports/webhooks/TargetProbe") {}
