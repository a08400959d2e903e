// Sends mail to members and to addresses that ask for a sign-in link.
import { Context, type Effect, Schema } from "effect"
import type { Mail } from "#core/domain/mails/Mail.ts"

/** The mail server did not take the mail. */
export class MailUnavailable extends Schema.TaggedError<MailUnavailable>()("MailUnavailable", {
  reason: Schema.String
}) {}

export class Mailer extends Context.Service<
  Mailer,
  {
    readonly send: (to: string, mail: Mail) => Effect.Effect<void, MailUnavailable>
  }
>()("backlinks/ports/mails/Mailer") {}
