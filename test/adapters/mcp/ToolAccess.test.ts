// Every tool × every kind of credential, on both servers. Generated from the tools, so that a new one cannot be missed.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { fullTools, tools } from "#adapters/mcp/Tools.ts"
import { formatKey, KEY_ENTROPY_BYTES } from "#core/domain/access/ApiKeyFormat.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { by, issueKey } from "#test/scenarios/Buyers.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { bearer } from "./Clients.ts"
import { McpServers, layer as mcpServers, serverNames } from "./McpServers.ts"
import { codeIn, type HttpResult, post, type Revision, request, resultIn, toolCall } from "./Post.ts"
import { callsOfCustomer, customerWithOrder, furtherCalls } from "./ToolCalls.ts"

const REVISIONS: ReadonlyArray<Revision> = ["2025", "2026-07-28"]

const unknownKey = formatKey("live", new Uint8Array(KEY_ENTROPY_BYTES).fill(7))
const badChecksum = `${unknownKey.slice(0, -1)}${unknownKey.endsWith("0") ? "1" : "0"}`

/** A call of each tool that changes nothing. */
const world = Effect.gen(function* () {
  const who = yield* customerWithOrder()
  const keys = yield* Credentials
  const revoked = yield* issueKey(who.accountId)
  yield* keys.revoke(revoked.keyId, by)
  const readOnly = yield* issueKey(who.accountId, { scopes: ["read"] })
  const orderOnly = yield* issueKey(who.accountId, { scopes: ["order"] })
  const calls = new Map(
    [...callsOfCustomer(who), ...furtherCalls(who)]
      .filter(({ args }) => args === undefined || !("idempotency_key" in args))
      .map((toolCall) => [toolCall.tool, toolCall] as const)
  )
  return { who, revoked, readOnly, orderOnly, calls }
})

const expectUnauthorized = (answer: HttpResult) => {
  expect(answer.status).toBe(401)
  expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer realm="/)
  expect(JSON.parse(answer.text).request_id).toBe(answer.headers.get("request-id"))
}

const expectToolError = (answer: HttpResult, status: number, code: string) => {
  expect(answer.status, answer.text).toBe(200)
  const { isError, body } = resultIn(answer)
  expect(isError).toBe(true)
  expect(body).toMatchObject({ ok: false, error: { code, status } })
  expect(answer.text).not.toContain("sn_live_")
}

layer(mcpServers(), { excludeTestServices: true })("tool × credential", (it) => {
  for (const server of serverNames) {
    for (const revision of REVISIONS) {
      it.effect(`${server}, ${revision}: messages that concern no account need no key, but refuse a wrong one`, () =>
        Effect.gen(function* () {
          const { [server]: url } = yield* McpServers
          const { who, revoked } = yield* world
          const opened = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
          const notification = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })
          const messages =
            revision === "2025"
              ? [
                  request(revision, "initialize", opened),
                  request(revision, "ping"),
                  request(revision, "tools/list"),
                  { ...request(revision, "notifications/initialized"), body: notification }
                ]
              : [request(revision, "server/discover"), request(revision, "tools/list")]
          for (const message of messages) {
            for (const headers of [{}, bearer(who.key)]) {
              const answer = yield* post(url, message, headers)
              expect(answer.status, answer.text).toBe(message.body === notification ? 202 : 200)
              expect(answer.text).not.toContain('"error"')
            }
            for (const [key, code] of [
              ["nonsense", "invalid_api_key"],
              [unknownKey, "invalid_api_key"],
              [revoked.key, "revoked_api_key"]
            ] as const) {
              const refused = yield* post(url, message, bearer(key))
              expectUnauthorized(refused)
              expect(codeIn(refused)).toBe(code)
              expect(JSON.parse(refused.text).error.suggestion).toMatch(/^Tell your user/)
            }
          }
          const refused = [
            ...["resources/list", "prompts/list", "tools/call", "tools/list/all"].map((method) =>
              request(revision, method)
            ),
            ...["{", "[1]", '"tools/list"', `[${notification},{"method":"tools/call"}]`].map((body) => ({
              ...request(revision, "tools/list"),
              body
            })),
            toolCall(revision, "no_such_tool"),
            toolCall(revision, "get_site", { site_id: "x" }),
            toolCall(revision, "create_order", { idempotency_key: "" }),
            toolCall(revision, "create_order", { items: Array.from({ length: 21 }, () => ({})) })
          ]
          for (const message of refused) {
            for (const [headers, code] of [
              [{}, "missing_api_key"],
              [bearer(unknownKey), "invalid_api_key"],
              [bearer(revoked.key), "revoked_api_key"]
            ] as const) {
              const answer = yield* post(url, message, headers)
              expectUnauthorized(answer)
              expect(codeIn(answer)).toBe(code)
            }
            expect((yield* post(url, message, bearer(who.key))).status, message.body).not.toBe(401)
          }
        })
      )

      it.effect(`${server}, ${revision}: each tool refuses every wrong key, and works with its scope alone`, () =>
        Effect.gen(function* () {
          const { [server]: url } = yield* McpServers
          const { books } = yield* RunningService
          const { who, revoked, readOnly, orderOnly, calls } = yield* world
          expect([...calls.keys()].sort()).toStrictEqual(fullTools.map(({ name }) => name).sort())
          const before = yield* books
          for (const { tool, args, scope = "read", isOwn = false } of calls.values()) {
            const at = tools.some(({ name }) => name === tool) ? url : `${url}/full`
            const ask = (headers: Readonly<Record<string, string>>) => post(at, toolCall(revision, tool, args), headers)

            const anonymous = yield* ask({})
            expectUnauthorized(anonymous)
            expect(codeIn(anonymous)).toBe("missing_api_key")
            expectUnauthorized(yield* ask({ authorization: `Basic ${who.key}` }))
            expectUnauthorized(yield* ask({ authorization: "Bearer " }))

            for (const key of ["nonsense", badChecksum, unknownKey]) {
              const refused = yield* ask(bearer(key))
              expectUnauthorized(refused)
              expect(codeIn(refused)).toBe("invalid_api_key")
              expect(refused.text).not.toContain("sn_live_")
            }
            const late = yield* ask(bearer(revoked.key))
            expectUnauthorized(late)
            expect(codeIn(late)).toBe("revoked_api_key")
            const [right, wrong] = scope === "order" ? [orderOnly, readOnly] : [readOnly, orderOnly]
            expectToolError(yield* ask(bearer(wrong.key)), 403, "insufficient_scope")

            const allowed = yield* ask(bearer(right.key))
            expect(allowed.status).toBe(200)
            if (isOwn)
              expect(resultIn(allowed).body, tool).toMatchObject({ error: { code: expect.stringMatching(/^not_/) } })
            else expect(resultIn(allowed), tool).toMatchObject({ isError: false, body: { ok: true } })
          }
          expect(yield* books, "a refused call changed something").toBe(before)
        })
      )
    }
  }
})
