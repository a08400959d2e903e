// Encrypts webhook signing keys for storage, with AES-256-GCM under the configured key.
import { Context, type Effect } from "effect"

export class Vault extends Context.Service<
  Vault,
  {
    /** The sealed text opens for this webhook only. */
    readonly seal: (plain: string, webhookId: string) => Effect.Effect<string>
    /**
     * Dies if the text was sealed for another webhook, or under a key other than the present and the previous one: a configuration
     * mistake, which no caller can handle.
     */
    readonly unseal: (sealed: string, webhookId: string) => Effect.Effect<string>
    /** Whether a text is sealed as `seal` does at present: in its format and under its key. */
    readonly isCurrent: (sealed: string) => boolean
  }
>()("backlinks/ports/Vault") {}
