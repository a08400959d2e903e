// The MCP server with `--stdio`, as a client starts it: clients of both generations, the same results as over HTTP, only the protocol
// on standard output, and an end when the client disconnects.
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { layer } from "@effect/vitest"
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio"
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Effect } from "effect"
import { expect } from "vitest"
import { tools } from "#adapters/mcp/Tools.ts"
import { compileCache } from "#test/CompileCache.ts"
import { outputOf } from "#test/ProgramOutput.ts"
import { freshKey, item } from "#test/scenarios/Buyers.ts"
import { RunningService, layer as shop } from "#test/scenarios/RunningService.ts"
import { legacyOver, modernOver } from "./Clients.ts"
import { json, serveFakeApi } from "./FakeApi.ts"
import { type Revision, request } from "./Post.ts"
import { callRest, callsOfCustomer, customerWithOrder, hiddenArguments } from "./ToolCalls.ts"

const MAIN = fileURLToPath(new URL("../../../adapters/mcpMain.ts", import.meta.url))

const program = (env: Readonly<Record<string, string>>) => ({
  command: process.execPath,
  args: [MAIN, "--stdio"],
  env: { ...compileCache, ...env },
  stderr: "ignore" as const
})

const connectors = {
  "2025-11-25": (env: Readonly<Record<string, string>>) => legacyOver(() => new LegacyStdio(program(env))),
  "2026-07-28": (env: Readonly<Record<string, string>>) => modernOver(() => new ModernStdio(program(env)))
}

/** Runs to its end with nothing but these lines on standard input. */
const runOut = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  lines: ReadonlyArray<string> = []
) =>
  outputOf(() => {
    const child = spawn(process.execPath, [MAIN, ...args], { env: { ...compileCache, ...env }, stdio: "pipe" })
    // A process that does not start does not read.
    child.stdin.on("error", () => {})
    child.stdin.end(lines.map((line) => `${line}\n`).join(""))
    return child
  })

const HELLO = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } }

/** A client for messages that no SDK sends; returns the response to each request in turn. */
const speak = (revision: Revision, env: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const transport = new ModernStdio(program(env))
    let heard: (answer: unknown) => void = () => {}
    transport.onmessage = (message) => heard(message)
    yield* Effect.acquireRelease(
      Effect.promise(() => transport.start()),
      () => Effect.promise(() => transport.close())
    )
    const ask = (method: string, params: Readonly<Record<string, unknown>>) =>
      Effect.promise(() => {
        const answered = new Promise<unknown>((resolve) => {
          heard = resolve
        })
        return transport.send(JSON.parse(request(revision, method, params).body)).then(() => answered)
      })
    if (revision === "2025") yield* ask("initialize", HELLO)
    return ask
  })

layer(shop(), { excludeTestServices: true })("stdio", (it) => {
  for (const [revision, connect] of Object.entries(connectors)) {
    it.effect(`${revision}: every tool returns what REST returns`, () =>
      Effect.gen(function* () {
        const { url } = yield* RunningService
        const who = yield* customerWithOrder()
        const client = yield* connect({ API_URL: url, API_KEY: who.key })
        expect(client.tools.map(({ name }) => name)).toStrictEqual(tools.map(({ name }) => name))
        for (const toolCall of callsOfCustomer(who)) {
          const { content, isError } = yield* client.call(toolCall.tool, toolCall.args)
          expect(isError).toBeUndefined()
          if (toolCall.tool !== "about") expect(content[0].text).toBe((yield* callRest(toolCall, who.key)).text)
        }
        const order = { items: [item(who.siteId)], idempotency_key: freshKey() }
        expect((yield* client.call("create_order", order)).structuredContent).toMatchObject({ status: "paid" })
        const unknown = yield* Effect.flip(client.call("no_such_tool"))
        expect(unknown.message).toContain("There is no such tool")
      })
    )
  }

  for (const revision of ["2025", "2026-07-28"] as const) {
    it.effect(`${revision}: every tool refuses an argument called __proto__ as it does any unknown one`, () =>
      Effect.gen(function* () {
        const { url } = yield* RunningService
        const who = yield* customerWithOrder()
        const ask = yield* speak(revision, { API_URL: url, API_KEY: who.key })
        for (const { tool, args } of callsOfCustomer(who)) {
          for (const hidden of hiddenArguments) {
            const answer = yield* ask("tools/call", { name: tool, arguments: { ...args, ...hidden } })
            expect(answer, tool).toMatchObject({ result: { isError: true } })
            expect(JSON.stringify(answer)).toContain('\\"param\\":\\"__proto__\\"')
          }
        }
      })
    )
  }

  it.effect("a bad key is the tool's error; so is an unreachable API", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      for (const [env, code] of [
        [{ API_URL: url, API_KEY: "sn_live_wrong" }, "invalid_api_key"],
        [{ API_URL: "http://127.0.0.1:9", API_KEY: "sn_live_any" }, "store_unavailable"]
      ] as const) {
        const client = yield* connectors["2025-11-25"](env)
        const { content, isError } = yield* client.call("check_balance")
        expect(isError).toBe(true)
        expect(JSON.parse(content[0].text)).toMatchObject({ ok: false, error: { code } })
      }
    })
  )

  it.effect("ends with its client, writes nothing of its own, and does not start without a key or an API", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      expect(yield* runOut(["--stdio"], { API_URL: url, API_KEY: "k" })).toStrictEqual({ code: 0, out: "", err: "" })
      for (const [args, env, why] of [
        [["--stdio"], { API_URL: url }, "API_KEY"],
        [["--stdio"], { API_KEY: "k" }, "API_URL"],
        [["--stdio"], { API_KEY: "k", API_URL: "example" }, "API_URL"],
        [["--studio"], { API_KEY: "k", API_URL: url }, "--stdio"]
      ] as const) {
        const { code, out, err } = yield* runOut(args, env)
        expect([code, out]).toStrictEqual([1, ""])
        expect(err).toContain(why)
      }
    })
  )

  for (const revision of ["2025", "2026-07-28"] as const) {
    it.effect(`${revision}: answers every request before the end of input, then ends`, () =>
      Effect.gen(function* () {
        const api = yield* serveFakeApi((asking, response) =>
          setTimeout(() => json(200, { ok: true })(asking, response), 300)
        )
        const asked = [2, 3, 4].map((id) => request(revision, "tools/call", { name: "check_balance" }, id).body)
        const hello = revision === "2025" ? [request(revision, "initialize", HELLO, 1).body] : []
        const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 4 } }
        const lines = [...hello, ...asked, ...(revision === "2025" ? [JSON.stringify(cancelled)] : [])]
        const { code, out } = yield* runOut(["--stdio"], { API_URL: api.url, API_KEY: "k" }, lines)
        const answers = out
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
        expect(code).toBe(0)
        expect(answers.map(({ id }) => id).sort()).toStrictEqual(revision === "2025" ? [1, 2, 3] : [2, 3, 4])
        expect(answers.at(-1)).toMatchObject({ result: { structuredContent: { ok: true } } })
      }).pipe(Effect.scoped)
    )
  }

  it.effect("ends when its client dies during a response, which only standard output shows", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const code = yield* Effect.callback<number | null>((resume) => {
        const env = { ...compileCache, API_URL: url, API_KEY: "k" }
        const child = spawn(process.execPath, [MAIN, "--stdio"], { env, stdio: ["pipe", "pipe", "ignore"] })
        child.on("close", (status) => resume(Effect.succeed(status)))
        child.stdout.destroy()
        child.stdin.write(`${request("2025", "initialize", HELLO).body}\n`)
        return Effect.sync(() => child.kill())
      })
      expect(code).toBe(0)
    })
  )
})
