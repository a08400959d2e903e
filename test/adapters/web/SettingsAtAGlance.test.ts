// Settings say what is set now, without opening a page for each, and ask once for what protects the account.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp } from "./AuthenticatorApps.ts"
import { openAccount, visit } from "./Visitors.ts"

const SETTINGS = "/account/settings"

const textAt = (path: string, token: string) => Effect.map(visit({ path, token }), ({ text }) => text)

const post = (path: string, token: string, form: Readonly<Record<string, string>>) =>
  visit({ method: "POST", path, token, form })

/** What is set now, by the names of the settings. */
const settingsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/<strong>([^<]+)<\/strong><span>(.*?)<\/span><\/div>/g)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll(/<[^>]+>/g, "")
    ])
  )

layer(RunningService.layer())("settings at a glance", (it) => {
  it.effect("say what is set, and ask an owner whom a mailbox alone protects for a passkey, once", () =>
    Effect.gen(function* () {
      const { account, owner, ownerEmail, viewer } = yield* openAccount
      const text = yield* textAt(SETTINGS, owner)
      assert.deepInclude(settingsIn(text), {
        Name: account.name,
        "Your invoices are made out to": `${account.name}, as a consumer`,
        "E-mail address": ownerEmail,
        "Mails to you": "All of them.",
        "Passkeys and apps": "None Your mailbox alone opens this account."
      })
      assert.match(settingsIn(text)["Time zone"] ?? "", /^UTC, where it is \d\d:\d\d now$/)
      assert.strictEqual(text.split("Protect your account").length, 2)
      assert.notInclude(yield* textAt(SETTINGS, viewer), "Protect your account")
      const billing = { name: "Garden & Co", address: "Street 1", country: "FR", vatId: "", reference: "" }
      yield* post(`${SETTINGS}/billing`, owner, billing)
      yield* post(`${SETTINGS}/mails`, owner, { approvals: "on" })
      yield* addApp(owner)
      const after = yield* textAt(SETTINGS, owner)
      assert.deepInclude(settingsIn(after), {
        "Your invoices are made out to": "Garden &amp; Co, France; VAT id: none",
        "Mails to you": "1 of the 6 that you can choose, and those that keep the account safe.",
        "Passkeys and apps": "On You have an authenticator app."
      })
      assert.notInclude(after, "Protect your account")
    })
  )

  it.effect("the only owner, who always stays, has no buttons that would be refused", () =>
    Effect.gen(function* () {
      const { owner, ownerEmail, viewerEmail } = yield* openAccount
      const text = yield* textAt(SETTINGS, owner)
      assert.include(text, "may do everything; the only owner")
      assert.notInclude(text, `Remove: ${ownerEmail}`)
      assert.include(text, `Remove: ${viewerEmail}`)
    })
  )
})
