// The documents for people, programs and agents are made once: each is cached by its tag and compressed. That for people has no script, and
// shows what the one for programs says.
import { request } from "node:http"
import { gunzipSync } from "node:zlib"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PUBLIC_ERRORS } from "#adapters/contract/errors/ErrorCode.ts"
import { PAGE_HEADERS } from "#adapters/html/Document.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"

interface Page {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly bytes: Buffer
}

const get = (headers: Readonly<Record<string, string>>, path = "/docs") =>
  Effect.flatMap(RunningService.RunningService, ({ port }) =>
    Effect.promise(
      () =>
        new Promise<Page>((resolve, reject) => {
          request({ port, path, headers, agent: false }, async (response) => {
            const pieces: Array<Buffer> = []
            for await (const piece of response) pieces.push(piece)
            resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(pieces) })
          })
            .on("error", reject)
            .end()
        })
    )
  )

layer(RunningService.layer())("the documents", (it) => {
  it.effect.each([
    ["/docs", "text/html"],
    ["/openapi.json", "application/json"],
    ["/llms.txt", "text/plain"]
  ])("%s is compressed where the client allows it, and the same otherwise", ([path, type]) =>
    Effect.gen(function* () {
      const plain = yield* get({}, path)
      const small = yield* get({ "accept-encoding": "br, gzip;q=0.8" }, path)
      const refused = yield* get({ "accept-encoding": "gzip;q=0" }, path)
      expect([plain.status, small.status, refused.status]).toEqual([200, 200, 200])
      expect(plain.headers["content-type"]).toBe(`${type}; charset=utf-8`)
      expect(plain.headers["content-encoding"]).toBeUndefined()
      expect(refused.headers["content-encoding"]).toBeUndefined()
      expect(small.headers["content-encoding"]).toBe("gzip")
      expect(small.bytes.length).toBeLessThan(plain.bytes.length / 2)
      expect(gunzipSync(small.bytes).equals(plain.bytes)).toBe(true)
      expect(plain.bytes.includes("/api/v1/agent/orders")).toBe(true)
    })
  )

  it.effect.each(["/docs", "/openapi.json", "/llms.txt"])("%s is not sent again to a client that has it", (path) =>
    Effect.gen(function* () {
      const first = yield* get({}, path)
      expect(first.headers["cache-control"]).toBe("public, max-age=3600")
      const again = yield* get({ "if-none-match": String(first.headers["etag"]) }, path)
      expect([again.status, again.bytes.length]).toEqual([304, 0])
      expect((yield* get({ "if-none-match": 'W/"other"' }, path)).status).toBe(200)
    })
  )

  it.effect("the page for people has no script, no inline style, and is small", () =>
    Effect.gen(function* () {
      const { headers, bytes } = yield* get({})
      expect(headers["content-security-policy"]).toBe(PAGE_HEADERS["content-security-policy"])
      expect(headers["x-robots-tag"]).toBeUndefined()
      expect(bytes.toString()).not.toMatch(/<script|<style|style=/)
      expect(bytes.length).toBeLessThan(300_000)
    })
  )

  it.effect(
    "the page for people shows every operation, field, object and error, and leads nowhere that is not there",
    () =>
      Effect.gen(function* () {
        const page = (yield* get({})).bytes.toString().replaceAll(/<\/?span[^>]*>/g, "")
        const document = JSON.parse((yield* get({}, "/openapi.json")).bytes.toString())
        const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
        const objects = Object.entries(document.components.schemas).filter(([name]) => !/.Refusal$/.test(name))
        expect(objects.filter(([name]) => !ids.has(name))).toEqual([])
        expect(Object.keys(PUBLIC_ERRORS).filter((code) => !ids.has(code))).toEqual([])
        const places = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
        expect(places.length).toBeGreaterThan(100)
        expect(places.filter((id) => !ids.has(id))).toEqual([])
        const codes = [...page.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code)
        const fields: Array<string> = []
        JSON.stringify(document.components.schemas, (name, value) => {
          if (name === "properties") fields.push(...Object.keys(value))
          return value
        })
        expect(fields.length).toBeGreaterThan(300)
        expect(fields.filter((name) => !codes.includes(name))).toEqual([])
      })
  )

  it.effect("the page for people says where a key comes from, and shows none that is not published", () =>
    Effect.gen(function* () {
      const page = (yield* get({})).bytes.toString()
      expect(page).toContain('href="/account/keys"')
      expect(page).toContain("KEY=sn_live_paste_yours_here")
      expect(page).not.toMatch(/sn_(?:live|test)_Demo/)
    })
  )
})
