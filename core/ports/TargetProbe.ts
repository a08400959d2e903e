// Tells whether a webhook URL may be subscribed: policy, name resolution, and one harmless request.
import { Context, type Effect } from "effect"
import type { WebhookUrlRefused } from "#core/domain/Refusal.ts"

export class TargetProbe extends Context.Service<
  TargetProbe,
  { readonly check: (url: string) => Effect.Effect<void, WebhookUrlRefused> }
>()("backlinks/ports/TargetProbe") {}
