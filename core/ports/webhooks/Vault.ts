// Encrypts secrets for storage, such as signing keys of webhooks, with AES-256-GCM under the configured key.
import { Context, type Effect } from "effect"

export class Vault extends Context.Service<
  Vault,
  {
    /** The sealed text opens for this owner only: the id of a webhook, or what `totpSeal` writes. */
    readonly seal: (plain: string, owner: string) => Effect.Effect<string>
    /**
     * Dies if the text was sealed for another owner, or under a key other than the present and the previous one: a configuration
     * mistake, which no caller can handle.
     */
    readonly unseal: (sealed: string, owner: string) => Effect.Effect<string>
    /** The same for a text that anyone may have written: `null` where `seal` did not make it for this owner. */
    readonly open: (sealed: string, owner: string) => Effect.Effect<string | null>
    /** Whether a text is sealed as `seal` does at present: in its format and under its key. */
    readonly isCurrent: (sealed: string) => boolean
  }
>()("backlinks/ports/webhooks/Vault") {}
