// Encrypts webhook signing keys for storage, with AES-256-GCM under the configured key.
import { Context, type Effect } from "effect"

export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (plain: string) => Effect.Effect<string>
    /** Dies if the text was sealed under another key: a configuration mistake, which no caller can handle. */
    readonly unseal: (sealed: string) => Effect.Effect<string>
  }
>()("backlinks/ports/Vault") {}
