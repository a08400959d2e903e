// Mails over a real SMTP server in this process, and their texts.
import { it } from "@effect/vitest"
import { Console, Effect, Redacted } from "effect"
import { describe, expect } from "vitest"
import { layerPrinted, layerSmtp } from "#adapters/mail/Mailer.ts"
import { mailText } from "#adapters/mail/MailTexts.ts"
import type { Mail } from "#core/domain/mails/Mail.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { readable, smtpServer } from "./SmtpServer.ts"

const link: Mail = {
  _tag: "SignInLink",
  url: "https://shop.example/account/sign-in?token=t0ken",
  accountName: "Ada <b>& Co</b>",
  minutes: 15
}

describe("a mail", () => {
  it.live("arrives over SMTP with both texts; a refused one fails", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer
      const url = Redacted.make(`smtp://127.0.0.1:${port}`)
      yield* Effect.gen(function* () {
        const { send } = yield* Mailer
        yield* send("ada@brand.example", link)
        expect((yield* Effect.flip(send("full@brand.example", link)))._tag).toBe("MailUnavailable")
      }).pipe(Effect.provide(layerSmtp({ url, from: "Backlinks <service@shop.example>" })))
      expect(received).toHaveLength(1)
      expect(received[0]?.recipients).toEqual(["ada@brand.example"])
      const [mail] = received
      const source = mail === undefined ? "" : readable(mail)
      expect(source).toContain("From: Backlinks <service@shop.example>")
      expect(source).toContain("Subject: Your sign-in link")
      expect(source).toContain("Content-Type: text/plain")
      expect(source).toContain("Content-Type: text/html")
      expect(source.split(link.url)).toHaveLength(3)
    }).pipe(Effect.scoped)
  )

  it.effect("with a sign-in link is printed where there is no mail server", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const console = { ...globalThis.console, log: (line: unknown) => void lines.push(line) }
      const { send } = yield* Mailer
      yield* Effect.provideService(send("ada@brand.example", link), Console.Console, console)
      expect(lines).toEqual([`sign-in link for ada@brand.example: ${link.url}`])
    }).pipe(Effect.provide(layerPrinted))
  )

  it("escapes what people wrote, in HTML and in subjects", () => {
    expect(mailText(link).html).toContain("Ada &lt;b&gt;&amp; Co&lt;/b&gt;")
    expect(mailText(link).text).toContain("Ada <b>& Co</b>")
    const changed: Mail = {
      _tag: "FactorChanged",
      accountName: "A",
      email: "a@b.example\r\nBcc: e@b.example",
      change: "totp_added"
    }
    expect(mailText(changed).subject).toBe("An authenticator app was added for a@b.example Bcc: e@b.example")
  })
})
