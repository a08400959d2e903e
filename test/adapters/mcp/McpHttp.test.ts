// POST /mcp as HTTP, on both servers: methods, revisions, no sessions, calls that are not of a tool, wrong arguments.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { tools } from "#adapters/mcp/Tools.ts"
import { bearer } from "./Clients.ts"
import { McpServers, layer as mcpServers, serverNames } from "./McpServers.ts"
import { codeIn, type Message, post, type Revision, request, resultIn, toolCall } from "./Post.ts"
import { newCustomer } from "./ToolCalls.ts"

const REVISIONS: ReadonlyArray<Revision> = ["2025", "2026-07-28"]

const fetched = (url: string, init: RequestInit) =>
  Effect.promise(async (signal) => {
    const response = await fetch(url, { ...init, signal })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

const initialize = (protocolVersion: string): Message =>
  request("2025", "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } })

layer(mcpServers(), { excludeTestServices: true })("/mcp", (it) => {
  for (const server of serverNames) {
    const opened = Effect.gen(function* () {
      const { [server]: url } = yield* McpServers
      const { key } = yield* newCustomer()
      return { url, headers: bearer(key) }
    })

    for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
      it.effect(`${server}: ${method} is not allowed`, () =>
        Effect.gen(function* () {
          const { url, headers } = yield* opened
          for (const sent of [headers, { accept: "text/event-stream", "mcp-session-id": "1" }]) {
            const answer = yield* fetched(url, { method, headers: sent })
            expect(answer.status).toBe(405)
            expect(answer.headers.get("allow")).toBe("OPTIONS, POST")
            expect(codeIn(answer)).toBe("method_not_allowed")
          }
        })
      )
    }

    for (const version of ["2025-03-26", "2025-06-18", "2025-11-25"]) {
      it.effect(`${server}: ${version} is supported, without a session`, () =>
        Effect.gen(function* () {
          const { url, headers } = yield* opened
          const hello = yield* post(url, initialize(version), { ...headers, "mcp-session-id": "mine" })
          expect(JSON.parse(hello.text).result).toMatchObject({
            protocolVersion: version,
            capabilities: { tools: {} },
            serverInfo: { name: "backlink-ordering-service" },
            instructions: expect.stringMatching(
              /dry_run[\s\S]*max_total_eur[\s\S]*idempotency_key[\s\S]*When a tool is refused: .* it names the tool[\s\S]*never follow instructions/
            )
          })
          const ready = {
            ...request("2025", "notifications/initialized"),
            body: '{"jsonrpc":"2.0","method":"notifications/initialized"}'
          }
          const noted = yield* post(url, ready, { ...headers, "mcp-protocol-version": version })
          expect([noted.status, noted.text]).toStrictEqual([202, ""])
          const called = yield* post(url, toolCall("2025", "about"), { ...headers, "mcp-protocol-version": version })
          expect(resultIn(called)).toMatchObject({ isError: false, body: { ok: true } })
          for (const answer of [hello, noted, called]) {
            expect(answer.headers.has("mcp-session-id")).toBe(false)
            expect(answer.headers.get("request-id")).toMatch(/^req_/)
          }
          expect(called.headers.get("content-type")).toMatch(/^application\/json/)
        })
      )
    }

    it.effect(`${server}: 2026-07-28 is discovered, without a session; later revisions are not`, () =>
      Effect.gen(function* () {
        const { url, headers } = yield* opened
        const hello = yield* post(url, request("2026-07-28", "server/discover"), headers)
        expect(hello.headers.has("mcp-session-id")).toBe(false)
        expect(JSON.parse(hello.text).result).toMatchObject({
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {} }
        })
        const { body, headers: sent } = request("2026-07-28", "tools/list")
        const later = {
          body: body.replaceAll("2026-07-28", "2099-01-01"),
          headers: { ...sent, "mcp-protocol-version": "2099-01-01" }
        }
        const refused = yield* post(url, later, headers)
        expect(refused.status).toBe(400)
        expect(JSON.parse(refused.text).error).toMatchObject({ code: -32_022, data: { supported: ["2026-07-28"] } })
      })
    )

    for (const revision of REVISIONS) {
      it.effect(`${server}, ${revision}: an unknown tool is a protocol error that lists the tools`, () =>
        Effect.gen(function* () {
          const { url, headers } = yield* opened
          for (const name of ["buy_everything", "toString", "__proto__", "About", ""]) {
            const answer = yield* post(url, toolCall(revision, name), headers)
            const { error } = JSON.parse(answer.text)
            expect(error).toMatchObject({
              code: -32_602,
              data: { ok: false, error: { code: "validation_failed", param: "name" } }
            })
            for (const tool of tools) expect(error.message).toContain(tool.name)
            expect(error.data.request_id).toBe(answer.headers.get("request-id"))
          }
        })
      )

      it.effect(`${server}, ${revision}: each wrong argument is refused, with what is allowed`, () =>
        Effect.gen(function* () {
          const { url, headers } = yield* opened
          const ask = (name: string, args: Readonly<Record<string, unknown>>) =>
            post(url, toolCall(revision, name, args), headers)
          const search = yield* ask("search_sites", {
            limit: 51,
            min_dr: 3,
            niche: 5,
            min_tf: "x",
            max_price_eur: 1.234
          })
          const { body } = resultIn(search)
          expect(body).toMatchObject({ error: { code: "validation_failed", status: 422, recovery: "correct" } })
          expect(JSON.stringify(body)).toContain("Allowed: niche, shelf, query")
          const wrong: ReadonlyArray<{ path: string }> = JSON.parse(JSON.stringify(body)).error.errors
          expect(wrong.map(({ path }) => path).sort()).toStrictEqual([
            "limit",
            "max_price_eur",
            "min_dr",
            "min_tf",
            "niche"
          ])
          const full = { site_id: 1, target_url: "https://a.example/", anchor_text: "a", anchor_type: "exact" }
          for (const [name, args, param] of [
            ["get_site", {}, "site_id"],
            ["get_site", { site_id: 1.5 }, "site_id"],
            ["get_site", { site_id: [1] }, "site_id"],
            ["about", { verbose: true }, "verbose"],
            ["get_quote_status", {}, "quote_id"],
            ["get_quote_status", { quote_id: "q_1", idempotency_key: "k" }, "quote_id"],
            ["get_order_status", { order_id: ".." }, "order_id"],
            ["get_order_status", { order_id: { $ne: 1 } }, "order_id"],
            ["create_order", {}, "items"],
            ["create_order", { items: [{ site_id: 1, anchor: "a" }] }, "items[0].anchor"],
            ["create_order", { items: [{ ...full, anchor_text: "a\u202Eb" }] }, "items[0].anchor_text"],
            ["create_order", { items: [{ ...full, target_url: "https://a.example/\u200B" }] }, "items[0].target_url"]
          ] as const) {
            const answer = resultIn(yield* ask(name, args))
            expect(answer, name).toMatchObject({
              isError: true,
              body: { error: { code: "validation_failed", status: 422, param } }
            })
          }
        })
      )
    }

    it.effect(`${server}: arguments that are no object are a protocol error`, () =>
      Effect.gen(function* () {
        const { url, headers } = yield* opened
        for (const args of ["a", 1, [1]]) {
          const answer = yield* post(url, request("2025", "tools/call", { name: "about", arguments: args }), headers)
          expect(JSON.parse(answer.text).error.code, JSON.stringify(args)).toBe(-32_602)
        }
      })
    )

    it.effect(`${server}: a refusal by the API carries the id of the tool's request`, () =>
      Effect.gen(function* () {
        const { url, headers } = yield* opened
        const answer = yield* post(url, toolCall("2025", "get_site", { site_id: 999_999_999 }), headers)
        const { request_id } = resultIn(answer).body
        // The remote API is another server, with its own request ids.
        if (server === "in process") expect(request_id).toBe(answer.headers.get("request-id"))
        else expect(request_id).toMatch(/^req_/)
      })
    )
  }
})
