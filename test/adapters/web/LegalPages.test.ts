// The operator's privacy and terms, and the texts that verify the domain: there by setting alone, and linked where they are there.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SELLER } from "#test/scenarios/InvoiceSteps.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"

const folder = mkdtempSync(join(tmpdir(), "legal-"))
const privacy = join(folder, "privacy.md")
const terms = join(folder, "terms.txt")
writeFileSync(privacy, "# Privacy of Acme\n\nWe keep **orders**.\n\n## Your rights\n\n- to ask\n- to <b>object</b>\n")
writeFileSync(terms, "Be kind.\n\nPay what you order.")

const get = (path: string) =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    return yield* Effect.promise(async (signal) => {
      const response = await fetch(`${url}${path}`, { signal })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  })

/** A page of each kind. */
const LINKING = ["/", "/sites", "/help", "/account/sign-in", "/account/none", "/pay/none", "/oauth/authorize", "/docs"]

const settings = {
  PRIVACY_FILE: privacy,
  TERMS_FILE: terms,
  ...SELLER,
  SUPPORT_CONTACT: "hello@reef.example",
  PUBLIC_CATALOGUE: "on",
  DIRECTORY_CHALLENGES: "openai-apps-challenge=tok-1_en=, other.txt=abc"
}

layer(RunningService.layer(settings))("with the operator's texts", (it) => {
  it.effect("each is a page", () =>
    Effect.gen(function* () {
      const shown = yield* get("/privacy")
      assert.strictEqual(shown.status, 200)
      assert.include(shown.headers.get("content-security-policy") ?? "", "default-src 'none'")
      assert.include(shown.text, "<h1>Privacy of Acme</h1>")
      assert.include(shown.text, "<li>to &lt;b&gt;object&lt;/b&gt;</li>")
      const { text } = yield* get("/terms")
      assert.include(text, "<h1>Terms</h1>\n<p>Be kind.</p>")
    })
  )

  it.effect("every page names who runs the service, and links to them, as the server card does", () =>
    Effect.gen(function* () {
      const headers = { accept: "text/html" }
      const { owner } = yield* openAccount
      const pages = yield* Effect.forEach([...LINKING, "/terms"], (path) => visit({ path, headers }))
      for (const { text } of [...pages, yield* visit({ path: "/account", token: owner })]) {
        const [, foot = text] = text.split("<footer")
        for (const link of ["/privacy", "/terms", "mailto:hello@reef.example"])
          assert.include(foot, `<a href="${link}">`)
        const company =
          "<strong>Reef Media SARL</strong>, 1 quai du Port, 13002 Marseille, France, VAT\u00A0id\u00A0FR40303265045"
        assert.include(foot.replaceAll("<wbr>", ""), company)
      }
      assert.match((yield* get("/.well-known/mcp/server-card.json")).text, /\/privacy".*\/terms"/)
    })
  )

  it.effect("prices say which VAT is in them", () =>
    Effect.gen(function* () {
      for (const path of ["/", "/sites"])
        assert.include((yield* get(path)).text, "Prices include 20 % VAT where it is due.")
    })
  )

  it.effect("a directory finds its text, and nothing but it", () =>
    Effect.gen(function* () {
      const { status, headers, text } = yield* get("/.well-known/openai-apps-challenge")
      assert.deepStrictEqual([status, text], [200, "tok-1_en="])
      assert.match(headers.get("content-type") ?? "", /^text\/plain/)
      assert.strictEqual((yield* get("/.well-known/other.txt")).text, "abc")
      assert.strictEqual((yield* get("/.well-known/another")).status, 404)
    })
  )
})

layer(RunningService.layer())("without them", (it) => {
  it.effect("there is no page, and no link to one", () =>
    Effect.gen(function* () {
      for (const path of ["/privacy", "/terms", "/.well-known/openai-apps-challenge"])
        assert.strictEqual((yield* get(path)).status, 404, path)
      for (const path of [...LINKING, "/.well-known/mcp/server-card.json"])
        assert.notMatch((yield* get(path)).text, /privacy|\/terms|VAT\u00A0id|Questions\?|include 20/i, path)
    })
  )
})
