// The official conformance suite for a server with tools only: without the suite's own fixture (tools such as `test_simple_text`),
// prompts, resources, completions, sampling or sessions. Checks that do not apply are listed by name; any other check that fails,
// and any listed one that passes, fails here.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { McpServers, layer as mcpServers } from "./McpServers.ts"
import { newCustomer } from "./ToolCalls.ts"

const SCENARIOS: Readonly<Record<string, ReadonlyArray<string>>> = {
  "2025-06-18": ["server-initialize", "server-session-lifecycle", "ping", "tools-list"],
  "2025-11-25": ["server-initialize", "server-session-lifecycle", "ping", "tools-list", "dns-rebinding-protection"],
  "2026-07-28": [
    "server-stateless",
    "tools-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
    "caching",
    "http-header-validation"
  ]
}

/** Checks of features that this server neither has nor announces. */
const NOT_APPLICABLE = [
  // Need tools of the suite's own fixture, which call the client or log.
  "server-stateless:sep-2575-server-rejects-undeclared-capability",
  "server-stateless:sep-2575-missing-capability-http-400",
  "server-stateless:sep-2575-http-server-no-independent-requests-on-stream",
  "server-stateless:sep-2575-server-no-log-without-loglevel",
  // The tools never change while the server runs, so no stream is kept open for notifications.
  "server-stateless:sep-2575-server-sends-subscription-ack",
  "server-stateless:sep-2575-server-tags-subscription-id",
  // No prompts, no resources.
  "caching:sep-2549-prompts-list-caching-hints",
  "caching:sep-2549-resources-list-caching-hints",
  "caching:sep-2549-resources-templates-list-caching-hints"
]

const CLI = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"))

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "conformance-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** The suite sends no key: this stands in front of the server and adds it. Everything else goes through as it is. */
const withKey = (port: number, key: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const proxy = createServer((incoming, outgoing) => {
        const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
        const { method, url: path } = incoming
        const onward = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(outgoing)
        })
        incoming.pipe(onward)
      })
      proxy.listen(0, "127.0.0.1", () => {
        const address = proxy.address()
        const at = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ url: `http://localhost:${at}/mcp`, close: () => proxy.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const run = (args: ReadonlyArray<string>, cwd: string) =>
  Effect.callback<{ readonly code: number; readonly output: string }>((resume) => {
    execFile(process.execPath, [CLI, ...args], { cwd, env: { ...process.env, NO_COLOR: "1" } }, (error, out, err) =>
      resume(Effect.succeed({ code: error === null ? 0 : 1, output: `${out}\n${err}` }))
    )
  })

layer(mcpServers(), { excludeTestServices: true })("conformance", (it) => {
  for (const [revision, scenarios] of Object.entries(SCENARIOS)) {
    for (const scenario of scenarios) {
      it.effect(`${revision}: ${scenario}`, () =>
        Effect.gen(function* () {
          const { "in process": address } = yield* McpServers
          const { key } = yield* newCustomer()
          const cwd = yield* folder
          const { url } = yield* withKey(Number(new URL(address).port), key)
          const expected = NOT_APPLICABLE.filter((check) => check.startsWith(`${scenario}:`))
          writeFileSync(join(cwd, "expected.yml"), `server: ${JSON.stringify(expected)}\n`)
          const which = ["--url", url, "--scenario", scenario, "--spec-version", revision]
          const { code, output } = yield* run(["server", ...which, "--expected-failures", "expected.yml"], cwd)
          expect(code, output).toBe(0)
          expect(output).toMatch(/SUCCESS|not applicable/)
          expect(output).not.toMatch(/SKIPPED: scenario/)
        })
      )
    }
  }
})
