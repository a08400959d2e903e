// Seals what must not lie about readable: webhook signing keys. AES-256-GCM under the configured key.
import { Context, type Effect } from "effect"

export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (plain: string) => Effect.Effect<string>
    /** Dies where the text was not sealed under this key: that is a configuration mistake, not an answer to anybody. */
    readonly unseal: (sealed: string) => Effect.Effect<string>
  }
>()("backlinks/ports/Vault") {}
