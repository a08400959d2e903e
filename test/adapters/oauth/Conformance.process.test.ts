// The official conformance suite for authorization servers. It prints the address that a person has to open, and waits for the answer at
// its own port.
import { execFile } from "node:child_process"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { makeBrowser } from "./Browser.ts"
import { consentAt, registeredId } from "./Flow.ts"

const CLI = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"))

const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** The suite's verdict; `opened` is called with the address that it prints. */
const run = (args: ReadonlyArray<string>, opened: (url: string) => void) =>
  Effect.callback<{ readonly code: number; readonly output: string }>((resume) => {
    const environment = { ...process.env, NO_COLOR: "1" }
    const child = execFile(process.execPath, [CLI, "authorization", ...args], { env: environment }, (error, out, err) =>
      resume(Effect.succeed({ code: error === null ? 0 : 1, output: `${out}\n${err}` }))
    )
    let printed = ""
    let isOpened = false
    child.stdout?.on("data", (chunk: string) => {
      printed += chunk
      const url = /^(http\S+\/oauth\/authorize\?\S+)\s/m.exec(printed)?.[1]
      if (url === undefined || isOpened) return
      isOpened = true
      opened(url)
    })
    return Effect.sync(() => child.kill())
  })

layer(RunningService.layer(), { excludeTestServices: true })("The authorization server", (it) => {
  it.effect("passes the suite: metadata, and the grant of an authorization code", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const { owner } = yield* openAccount
      const browser = yield* makeBrowser(owner)
      const port = yield* freePort
      const clientId = yield* registeredId({ redirect_uris: [`http://127.0.0.1:${port}/callback`] })
      const consent = Effect.gen(function* () {
        const to = yield* Effect.promise(() => address)
        const answer = yield* consentAt(browser, to)
        yield* Effect.promise(() => fetch(answer).then((response) => response.text()))
      })
      const { promise: address, resolve } = Promise.withResolvers<string>()
      const args = ["--url", url, "--client-id", clientId, "--port", String(port), "--resource", `${url}/mcp`]
      const [{ code, output }] = yield* Effect.all([run(args, resolve), consent], { concurrency: 2 })
      expect(output).not.toMatch(/FAILURE|✗/)
      expect(output).toContain("authorization-code-grant")
      expect(code).toBe(0)
    })
  )
})
