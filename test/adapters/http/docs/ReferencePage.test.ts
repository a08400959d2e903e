// The documents for people, programs and agents are made once: each is cached by its tag and compressed. The policy of the reference
// page allows its own scripts alone.
import { createHash } from "node:crypto"
import { request } from "node:http"
import { gunzipSync } from "node:zlib"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
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

  it.effect("the reference page allows no scripts but its own", () =>
    Effect.gen(function* () {
      const { headers, bytes } = yield* get({})
      const policy = String(headers["content-security-policy"])
      const scripts = policy.split("; ").find((directive) => directive.startsWith("script-src")) ?? ""
      const digests = [...bytes.toString().matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
        ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
      )
      expect(digests.length).toBeGreaterThan(0)
      expect(scripts).toBe(`script-src ${digests.join(" ")}`)
      expect(policy).toContain("default-src 'none'")
    })
  )
})
