// Stands in for the mail server: keeps each sign-in link until the human at that address reads it.
import { Context, Deferred, Effect, Layer } from "effect"
import { Mailer } from "#core/ports/mails/Mailer.ts"

export class Mailbox extends Context.Service<
  Mailbox,
  {
    /** The address of the first sign-in link that was not read yet; waits for it where none has come. */
    readonly nextLink: (address: string) => Effect.Effect<string>
  }
>()("backlinks/bench/service/Mailbox") {}

/** Replaces the service's own mailer, which prints links on standard output, where the screen is. Other mails have no reader. */
export const layer: Layer.Layer<Mailer | Mailbox> = Layer.effectContext(
  Effect.sync(() => {
    const links = new Map<string, Deferred.Deferred<string>>()
    const linkTo = (address: string): Deferred.Deferred<string> => {
      const link = links.get(address) ?? Deferred.makeUnsafe<string>()
      links.set(address, link)
      return link
    }
    return Context.make(Mailbox, {
      nextLink: (address) =>
        Effect.suspend(() => Deferred.await(linkTo(address))).pipe(
          Effect.ensuring(Effect.sync(() => links.delete(address)))
        )
    }).pipe(
      Context.add(Mailer, {
        send: (to, mail) =>
          mail._tag === "SignInLink"
            ? Effect.suspend(() => Effect.asVoid(Deferred.succeed(linkTo(to), mail.url)))
            : Effect.void
      })
    )
  })
)
