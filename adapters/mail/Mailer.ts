// Mail over SMTP; without a mail server, sign-in links, their codes and invitations are printed on standard output, one a line, for people and scripts.
import { fileURLToPath } from "node:url"
import { Console, Effect, Layer, Redacted } from "effect"
import { Mailer, MailUnavailable } from "#core/ports/mails/Mailer.ts"
import { MARK, type MailSender } from "./MailFrame.ts"
import { mailText } from "./MailTexts.ts"

export interface SmtpOptions {
  readonly url: Redacted.Redacted<string>
  readonly from: string
  /** Named in every mail. */
  readonly serviceName: string
  /** Stands at the foot of every mail. */
  readonly sender?: MailSender
}

/** Time limits of one mail, in milliseconds. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** The package is loaded only where it is used. */
export const layerSmtp = ({ url, from, serviceName, sender: writer }: SmtpOptions): Layer.Layer<Mailer> =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const { createTransport } = yield* Effect.promise(() => import("nodemailer"))
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() => createTransport({ url: Redacted.value(url), pool: true, ...TIMEOUTS })),
        (opened) => Effect.sync(() => opened.close())
      )
      // Readers see a name before an address.
      const sender = from.includes("<") ? from : { name: serviceName, address: from }
      return Mailer.of({
        send: (to, mail) =>
          Effect.asVoid(
            Effect.tryPromise({
              // An object, so that nothing in the address is read as a list or as a header.
              try: () => {
                const { choicesUrl, ...text } = mailText(mail, serviceName, writer)
                const list = choicesUrl === null ? {} : { list: { unsubscribe: choicesUrl } }
                const mark = { ...MARK, path: fileURLToPath(MARK.path) }
                return transport.sendMail({
                  ...{ from: sender, to: { name: "", address: to }, ...text, ...list },
                  attachments: [mark]
                })
              },
              catch: (cause) => new MailUnavailable({ reason: cause instanceof Error ? cause.message : String(cause) })
            })
          )
      })
    })
  )

/** Prints sign-in links with their codes, invitations and changes of address. Other mails are only named in the log, at its level for developers: they come with every purchase. */
export const layerPrinted: Layer.Layer<Mailer> = Layer.succeed(Mailer, {
  send: (to, mail) => {
    switch (mail._tag) {
      case "SignInLink":
        return Console.log(`sign-in link for ${to}: ${mail.url}\nsign-in code for ${to}: ${mail.code}`)
      case "Invitation":
        return Console.log(`invitation for ${to}: ${mail.url}`)
      case "EmailChange":
        return Console.log(`address change for ${to}: ${mail.url}`)
      default:
        return Effect.logDebug("A mail was not sent, because there is no SMTP_URL", { to, mail: mail._tag })
    }
  }
})
