// Hashes passwords, slowly on purpose, and compares them in constant time.
import { Context, type Effect } from "effect"

export class Passwords extends Context.Service<
  Passwords,
  {
    /** Contains a fresh salt and the costs. */
    readonly hash: (password: string) => Effect.Effect<string>
    /** `false` for every password where this port did not write `hash`. */
    readonly verify: (password: string, hash: string) => Effect.Effect<boolean>
  }
>()("backlinks/ports/members/Passwords") {}
