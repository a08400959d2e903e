// Bodies of POST /mcp on both servers: batches, invalid JSON, invalid messages, wrong size or media type, unusual names and values.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { bearer } from "./Clients.ts"
import { McpServers, layer as mcpServers, serverNames } from "./McpServers.ts"
import { codeIn, type Message, post, resultIn, toolCall } from "./Post.ts"
import { callsOfCustomer, customerWithOrder, hiddenArguments, newCustomer } from "./ToolCalls.ts"

const raw = (body: string): Message => ({ ...toolCall("2025", "about"), body })

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

/** Bodies that are no JSON, or no message, and their JSON-RPC error. */
const MALFORMED: Readonly<Record<string, readonly [body: string, code: number]>> = {
  "no JSON": ["{", PARSE_ERROR],
  nothing: ["", PARSE_ERROR],
  "a byte order mark": ['\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}', PARSE_ERROR],
  "a key twice": ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', PARSE_ERROR],
  "a lone surrogate": ['{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', PARSE_ERROR],
  "a number beyond all bounds": ['{"jsonrpc":"2.0","id":1e400,"method":"ping"}', PARSE_ERROR],
  "deep nesting": [`${"[".repeat(5_000)}${"]".repeat(5_000)}`, PARSE_ERROR],
  null: ["null", INVALID_REQUEST],
  "a string": ['"ping"', INVALID_REQUEST],
  "an object that is no message": ["{}", INVALID_REQUEST],
  "another version of JSON-RPC": ['{"jsonrpc":"1.0","id":1,"method":"ping"}', INVALID_REQUEST]
}

layer(mcpServers(), { excludeTestServices: true })("bodies of /mcp", (it) => {
  for (const server of serverNames) {
    const opened = Effect.gen(function* () {
      const { [server]: url } = yield* McpServers
      const { key } = yield* newCustomer()
      return { url, headers: bearer(key) }
    })

    it.effect(`${server}: several calls in one batch, as 2025-03-26 allows`, () =>
      Effect.gen(function* () {
        const { url, headers } = yield* opened
        const calls = ["about", "check_balance"].map((name, id) =>
          toolCall("2025", name).body.replace('"id":1', `"id":${id}`)
        )
        const answer = yield* post(url, raw(`[${calls.join(",")}]`), {
          ...headers,
          "mcp-protocol-version": "2025-03-26"
        })
        expect(
          JSON.parse(answer.text)
            .map(({ id }: { id: number }) => id)
            .sort()
        ).toStrictEqual([0, 1])
      })
    )

    it.effect(`${server}: a batch gets a list of responses, notifications get none`, () =>
      Effect.gen(function* () {
        const { url, headers } = yield* opened
        const note = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
        const call = toolCall("2025", "about").body
        for (const version of [{}, { "mcp-protocol-version": "2025-03-26" }]) {
          const ask = (body: string) => post(url, raw(body), { ...headers, ...version })
          const pinged = [{ jsonrpc: "2.0", id: 1, result: {} }]
          expect(JSON.parse((yield* ask(`[${PING}]`)).text)).toStrictEqual(pinged)
          expect(JSON.parse((yield* ask(`[${note},${PING}]`)).text)).toStrictEqual(pinged)
          const unknown = '{"jsonrpc":"2.0","id":1,"method":"no/such"}'
          expect(JSON.parse((yield* ask(`[${unknown}]`)).text)).toMatchObject([{ id: 1, error: { code: -32_601 } }])
          const called = JSON.parse((yield* ask(`[${call}]`)).text)
          expect(called).toMatchObject([{ id: 1, result: { structuredContent: { ok: true } } }])
          expect(JSON.parse((yield* ask(PING)).text)).toStrictEqual(pinged[0])
          const noted = yield* ask(`[${note}]`)
          expect([noted.status, noted.text]).toStrictEqual([202, ""])
          for (const body of ["[]", "[{}]", `[${PING},1]`]) {
            const refused = yield* ask(body)
            expect(refused.status, body).toBe(400)
            expect(JSON.parse(refused.text)).toMatchObject({ id: null, error: { code: INVALID_REQUEST } })
          }
        }
      })
    )

    for (const [says, [body, code]] of Object.entries(MALFORMED)) {
      it.effect(`${server}: ${says} is refused by a JSON-RPC error`, () =>
        Effect.gen(function* () {
          const { url, headers } = yield* opened
          const answer = yield* post(url, raw(body), headers)
          expect(answer.status, answer.text).toBe(400)
          const { jsonrpc, error } = JSON.parse(answer.text)
          expect([jsonrpc, error.code]).toStrictEqual(["2.0", code])
          if (code === PARSE_ERROR) expect(error.data).toMatchObject({ ok: false, error: { code: "invalid_json" } })
        })
      )
    }

    it.effect(`${server}: a body that is too large, another media type`, () =>
      Effect.gen(function* () {
        const { url, headers } = yield* opened
        const huge = yield* post(url, toolCall("2025", "search_sites", { query: "a".repeat(1_000_000) }), headers)
        expect([huge.status, codeIn(huge)]).toStrictEqual([413, "body_too_large"])
        const plainText = yield* post(url, toolCall("2025", "about"), { ...headers, "content-type": "text/plain" })
        expect([plainText.status, codeIn(plainText)]).toStrictEqual([415, "unsupported_media_type"])
      })
    )

    it.effect(`${server}: unusual names and values find nothing and break nothing`, () =>
      Effect.gen(function* () {
        const { url, headers } = yield* opened
        for (const args of ['{"constructor":1}', '{"query":"a\\u0000b"}', '{"limit":-0.5}', '{"cursor":"’"}']) {
          const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_sites","arguments":${args}}}`
          const answer = yield* post(url, raw(body), headers)
          expect(resultIn(answer), args).toMatchObject({
            isError: true,
            body: { error: { code: "validation_failed" } }
          })
        }
        const call = `{"name":"create_order","arguments":{"items":[{"__proto__":{"site_id":1}}]}}`
        const hidden = yield* post(url, raw(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${call}}`), headers)
        expect(resultIn(hidden).isError).toBe(true)
        expect(hidden.text).toContain("items[0].__proto__")
      })
    )

    for (const revision of ["2025", "2026-07-28"] as const) {
      it.effect(
        `${server}: every tool refuses an argument called __proto__ as it does any unknown one, in ${revision}`,
        () =>
          Effect.gen(function* () {
            const { [server]: url } = yield* McpServers
            const who = yield* customerWithOrder()
            for (const { tool, args } of callsOfCustomer(who)) {
              for (const hidden of hiddenArguments) {
                const call = toolCall(revision, tool, { ...args, ...hidden })
                const { isError, body } = resultIn(yield* post(url, call, bearer(who.key)))
                expect(isError, `${tool} ${call.body}`).toBe(true)
                expect(body).toMatchObject({ error: { code: "validation_failed", param: "__proto__" } })
              }
            }
          })
      )
    }
  }
})
