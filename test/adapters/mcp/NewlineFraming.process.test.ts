// Lines over stdio that no SDK client sends: parsed as strictly as the bodies of REST and /mcp, and every one gets a response.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { MAX_BODY_BYTES } from "#adapters/http/server/RequestBody.ts"
import { makeLineSplitter } from "#adapters/mcp/NewlineFraming.ts"
import { compileCache } from "#test/CompileCache.ts"
import { buyer, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { call } from "#test/scenarios/HttpCalls.ts"
import { RunningService, layer as shop } from "#test/scenarios/RunningService.ts"
import { bearer } from "./Clients.ts"
import { request } from "./Post.ts"

const MAIN = fileURLToPath(new URL("../../../adapters/mcpMain.ts", import.meta.url))

/** A running server: writes a line, reads the next one. */
const started = (env: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [MAIN, "--stdio"], {
          env: { ...compileCache, ...env },
          stdio: ["pipe", "pipe", "ignore"]
        })
      ),
      (running) => Effect.sync(() => running.kill())
    )
    const outputLines = createInterface(child.stdout)[Symbol.asyncIterator]()
    return (line: string | Uint8Array) =>
      Effect.promise(async () => {
        child.stdin.write(line)
        child.stdin.write("\n")
        const { value } = await outputLines.next()
        return JSON.parse(value ?? "null")
      })
  })

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

const order = (items: string, rest: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_order","arguments":{"items":${items},${rest}}}}`

/** Lines that the API does not accept as JSON. */
const refusedLines = (items: string): Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> => ({
  "a key twice": order(items, '"dry_run":true,"dry_run":false'),
  "negative zero": order(items, '"max_total_eur":-0'),
  "a number beyond all bounds": order(items, '"max_total_eur":1e400'),
  "a lone surrogate": order(items, '"promo_code":"\\ud800"'),
  "deep nesting": `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  "a byte order mark": `\uFEFF${PING}`,
  "no UTF-8": Buffer.from([...Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), 0xff, ...Buffer.from('"}')]),
  "no JSON": "{nope",
  "an id twice": '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'
})

/** JSON that is not a message, with the id of its response. */
const NOT_MESSAGES: ReadonlyArray<readonly [line: string, id: unknown]> = [
  ["null", null],
  ['"ping"', null],
  ["{}", null],
  [`[${PING}]`, null],
  ['{"jsonrpc":"1.0","id":7,"method":"ping"}', 7],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null]
]

/** The response to the same bytes at /mcp. */
const asBody = (url: string, key: string, line: string | Uint8Array<ArrayBuffer>) =>
  Effect.promise(async (signal) => {
    const headers = { ...bearer(key), "content-type": "application/json" }
    return JSON.parse(await (await fetch(url, { method: "POST", headers, body: line, signal })).text())
  })

layer(shop(), { excludeTestServices: true })("a line over stdio", (it) => {
  const opened = Effect.gen(function* () {
    const { url } = yield* RunningService
    const { key } = yield* buyer({ creditCents: 100_000 })
    const say = yield* started({ API_URL: url, API_KEY: key })
    return { url, key, say, items: JSON.stringify([item((yield* listSite()).siteId)]) }
  })

  it.effect("is refused as /mcp refuses a body, and nothing is bought", () =>
    Effect.gen(function* () {
      const { url, key, say, items } = yield* opened
      for (const [says, line] of Object.entries(refusedLines(items))) {
        const here = yield* say(line)
        const there = yield* asBody(`${url}/mcp`, key, line)
        expect(here, says).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32_700 } })
        expect(here.error.data.request_id).toMatch(/^req_/)
        there.error.data.request_id = here.error.data.request_id
        expect(here, says).toStrictEqual(there)
      }
      expect(JSON.parse((yield* call("GET", "/api/v1/agent/orders", { key })).text).total).toBe(0)
      expect(yield* say(PING)).toStrictEqual({ jsonrpc: "2.0", id: 1, result: {} })
    })
  )

  it.effect("that is not a message gets an error with its id; an error or an empty line gets no response", () =>
    Effect.gen(function* () {
      const { say } = yield* opened
      for (const [line, id] of NOT_MESSAGES) {
        expect(yield* say(line), line).toMatchObject({ jsonrpc: "2.0", id, error: { code: -32_600 } })
      }
      const silent = ["", " \r", '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"What?"}}']
      expect(yield* say([...silent, `${PING}\r`].join("\n"))).toStrictEqual({ jsonrpc: "2.0", id: 1, result: {} })
    })
  )

  it.effect("may be as long as a body, not longer", () =>
    Effect.gen(function* () {
      const { say } = yield* opened
      yield* say(request("2025", "initialize", { protocolVersion: "2025-11-25" }).body)
      const padded = (length: number) => PING.padEnd(length, " ")
      expect(yield* say(padded(MAX_BODY_BYTES))).toStrictEqual({ jsonrpc: "2.0", id: 1, result: {} })
      for (const length of [MAX_BODY_BYTES + 1, 1_000_000]) {
        expect(yield* say(padded(length))).toMatchObject({
          id: null,
          error: {
            code: -32_700,
            data: { error: { code: "body_too_large", details: { limit_bytes: MAX_BODY_BYTES } } }
          }
        })
      }
      expect(yield* say(PING)).toStrictEqual({ jsonrpc: "2.0", id: 1, result: {} })
    })
  )

  it("is assembled from any chunks", () => {
    const text = "one\n\ntwo is long\nthree\r\n日本\nfour"
    const bytes = Buffer.from(text)
    for (let size = 1; size <= bytes.length; size += 1) {
      const cut = makeLineSplitter(6)
      const lines = []
      for (let at = 0; at < bytes.length; at += size) lines.push(...cut(bytes.subarray(at, at + size)))
      expect(lines.map((line) => line && Buffer.from(line).toString())).toStrictEqual([
        "one",
        "",
        undefined,
        "three\r",
        "日本"
      ])
    }
  })
})
