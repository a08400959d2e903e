// Mails over a real SMTP server in this process, and their texts.
import { it } from "@effect/vitest"
import { Console, Effect, Redacted } from "effect"
import { describe, expect } from "vitest"
import { layerPrinted, layerSmtp } from "#adapters/mail/Mailer.ts"
import { mailText } from "#adapters/mail/MailTexts.ts"
import type { Mail } from "#core/domain/mails/Mail.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { sampleMails } from "./SampleMails.ts"
import { readable, smtpServer } from "./SmtpServer.ts"

const link = {
  _tag: "SignInLink" as const,
  url: "https://shop.example/account/sign-in?token=t0ken",
  code: "048213",
  accountName: "Ada <b>& Co</b>",
  minutes: 15
}

const invitation = {
  _tag: "Invitation" as const,
  accountName: "Ada <b>& Co</b>",
  inviter: "ada@brand.example",
  email: "bo@brand.example",
  role: "viewer" as const,
  url: "https://shop.example/account/invitation?token=t0ken",
  expiresAtMs: Date.UTC(2026, 11, 4, 10, 30)
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
      }).pipe(Effect.provide(layerSmtp({ url, from: "Backlinks <service@shop.example>", serviceName: "Willow Links" })))
      expect(received).toHaveLength(1)
      expect(received[0]?.recipients).toEqual(["ada@brand.example"])
      const [mail] = received
      const source = mail === undefined ? "" : readable(mail)
      expect(source).toContain("From: Backlinks <service@shop.example>")
      expect(source).toContain("Subject: Your sign-in link")
      expect(source).toContain("Content-Type: text/plain")
      expect(source).toContain("Content-Type: text/html")
      expect(source.split(link.url)).toHaveLength(5)
      expect(source).toContain("Willow Links")
      // The mark is of the same mail, so that nothing is loaded from elsewhere.
      expect(source).toContain('src="cid:mark"')
      expect(source).toContain("Content-ID: <mark>")
    }).pipe(Effect.scoped)
  )

  it.effect("with a sign-in link or an invitation is printed where there is no mail server", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const console = { ...globalThis.console, log: (line: unknown) => void lines.push(line) }
      const { send } = yield* Mailer
      yield* Effect.provideService(send("ada@brand.example", link), Console.Console, console)
      yield* Effect.provideService(send("bo@brand.example", invitation), Console.Console, console)
      expect(lines).toEqual([
        `sign-in link for ada@brand.example: ${link.url}\nsign-in code for ada@brand.example: ${link.code}`,
        `invitation for bo@brand.example: ${invitation.url}`
      ])
    }).pipe(Effect.provide(layerPrinted))
  )

  it("with an invitation names who invites, to what, as what, until when, and that nothing happens without the person", () => {
    const { subject, text, html } = mailText(invitation, "Willow Links")
    expect(subject).toBe("ada@brand.example invites you to an account")
    expect(text).toContain(
      "ada@brand.example invites bo@brand.example to the account Ada <b>& Co</b> at shop.example, as viewer"
    )
    expect(text).toContain("as viewer: a viewer sees everything and changes nothing")
    expect(text).toContain("only if you accept on that page, until 4 December 2026, 10:30 UTC")
    expect(text).toContain(invitation.url)
    expect(html).toContain(`<a href="${invitation.url}" style=`)
    expect(html).not.toContain("<b>& Co")
    expect(mailText({ ...invitation, inviter: null }, "Willow Links").subject).toBe(
      "The operator of Willow Links invites you to an account"
    )
  })

  it("escapes what people wrote, in HTML and in subjects", () => {
    expect(mailText(link, "Willow Links").html).toContain("Ada &lt;b&gt;&amp; Co&lt;/b&gt;")
    expect(mailText(link, "Willow Links").text).toContain("Ada <b>& Co</b>")
    const changed: Mail = {
      _tag: "FactorChanged",
      accountName: "A",
      email: "a@b.example\r\nBcc: e@b.example",
      change: "totp_added",
      url: "https://shop.example/account/settings"
    }
    expect(mailText(changed, "Willow Links").subject).toBe(
      "An authenticator app was added for a@b.example Bcc: e@b.example"
    )
  })

  it.each(Object.entries(sampleMails))(
    "of the kind %s has one button, the same link in both parts, and people's words",
    (_name, mail) => {
      const { subject, text, html } = mailText(mail, "Willow Links")
      // What matters stands in what a list of mails shows.
      if (subject.length > 78) expect(subject.slice(0, 60)).toMatch(/\d EUR|“.+”/)
      const led = text.split("\n").filter((line) => line.includes("https://shop.example/"))
      expect(led.filter((line) => !/^https:\S+$/.test(line))).toEqual([])
      const [button, ...others] = [...html.matchAll(/<td class="main"[^>]*><a href="([^"]+)"/g)].map(([, url]) => url)
      expect(others).toEqual([])
      expect(html.match(/<h1/g)).toHaveLength(1)
      if (button !== undefined) expect(text.split("\n")).toContain(button)
      expect(text).not.toMatch(/null|undefined|\[object/)
      const visible = html.replace(/<style>.*?<\/style>/s, "").replaceAll(/<[^>]+>|https:\S+/g, " ")
      for (const said of [subject, visible, text.replaceAll(/https:\S+/g, "")])
        expect(said).not.toMatch(/GET \/|POST \/|Idempotency|Retry-After|_url|_id/)
    }
  )

  it("does not blame what an owner approved", () => {
    expect(mailText(sampleMails["purchase"] ?? link, "").text).toContain("This was not meant")
    const approved = mailText(sampleMails["purchase-approved"] ?? link, "").text
    expect(approved).toContain("approved by ada@willow-and-spade.example")
    expect(approved).not.toContain("not meant")
  })
})
