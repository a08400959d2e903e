// Hashes passwords, slowly on purpose, and compares them in constant time.
import { Context, type Effect } from "effect"

export class Passwords extends Context.Service<
  Passwords,
  {
    /** With a salt of its own, and its costs. */
    readonly hash: (password: string) => Effect.Effect<string>
    /** `false` for every password where `hash` is none of this port. */
    readonly verify: (password: string, hash: string) => Effect.Effect<boolean>
  }
>()("backlinks/ports/members/Passwords") {}
