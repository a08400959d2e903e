// The operator's privacy and terms, and the texts that verify the domain: there by setting alone, and linked where they are there.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as RunningService from "#test/scenarios/RunningService.ts"

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

const LINKING = ["/", "/account/sign-in"]

const settings = {
  PRIVACY_FILE: privacy,
  TERMS_FILE: terms,
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

  it.effect("the start page, the sign-in page and the server card link to them", () =>
    Effect.gen(function* () {
      for (const path of LINKING) {
        const { text } = yield* get(path)
        for (const link of ["/privacy", "/terms"]) assert.include(text, `<a href="${link}">`, path)
      }
      assert.match((yield* get("/.well-known/mcp/server-card.json")).text, /\/privacy".*\/terms"/)
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
        assert.notMatch((yield* get(path)).text, /privacy|\/terms/i, path)
    })
  )
})
