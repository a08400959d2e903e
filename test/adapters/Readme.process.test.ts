// The commands of the root README, and those of `adapters/http/README.md`, run by a shell against a service with demo data; only the address
// differs. Then the second minute: the printed link is opened, and the member area shows what the commands have bought.
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { tools } from "#adapters/mcp/Tools.ts"
import * as TestService from "#test/scenarios/RunningService.ts"
import { blocksOf } from "./ReadmeBlocks.ts"

const ROOT = "README.md"

const textOf = (page: string, title: string, language: string): string => blocksOf(page, title, language).join("\n")

/** Runs in bash as pasted; each curl prints a line with the status after its response. */
const runAt = (page: string, title: string, url: string): Promise<string> => {
  const script = textOf(page, title, "sh")
    .replaceAll("http://127.0.0.1:3000", url)
    .replaceAll(/^curl /gm, "curl --write-out '\\nstatus %{http_code}\\n' ")
  return new Promise((resolve) => {
    const child = spawn("bash", ["-euo", "pipefail", "-c", script], { stdio: ["ignore", "pipe", "inherit"] })
    let out = ""
    child.stdout.on("data", (text) => {
      out += String(text)
    })
    child.on("close", (code) => resolve(`${out}\nexit ${code}`))
  })
}

const run = (page: string, title: string) =>
  Effect.flatMap(TestService.RunningService, ({ url }) => Effect.promise(() => runAt(page, title, url)))

const statuses = (out: string) => [...out.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status))

/** The order's answer, the last one of the section, and its headers. */
const orderAnswer = (out: string): readonly [headers: string, body: string] => {
  const [headers = "", body = ""] = (out.split(/^HTTP\/1.1 201 Created\r\n/m)[1] ?? "").split("\r\n\r\n")
  return [headers.toLowerCase(), body]
}

layer(TestService.layer({ DEMO: "on" }), { excludeTestServices: true })("the commands of the READMEs", (it) => {
  it.effect("buy a link from credit, and replay it byte for byte when sent twice", () =>
    Effect.gen(function* () {
      const first = yield* run(ROOT, "Buy a link")
      expect(first).toMatch(/\nexit 0$/)
      expect(statuses(first)).toEqual([200, 201])
      expect(first).toContain('"order_status":"paid"')
      expect(first).toContain('"card_amount_cents":0')
      const [headers, body] = orderAnswer(first)
      expect(headers).not.toContain("idempotent-replayed")
      const [headersAgain, bodyAgain] = orderAnswer(yield* run(ROOT, "Buy a link"))
      expect(headersAgain).toContain("idempotent-replayed: true")
      expect(body).toContain('"order_id":"ord_')
      expect(bodyAgain).toBe(body)
    })
  )

  it.effect("price, buy from credit, and order for a human to pay", () =>
    Effect.gen(function* () {
      const out = yield* run("adapters/http/README.md", "An order by hand")
      expect(out).toMatch(/\nexit 0$/)
      expect(statuses(out)).toEqual([200, 201, 200, 201, 200])
      expect(out).toContain('"status":"dry_run"')
      expect(out).toContain('"order_status":"paid"')
      expect(out).toMatch(/"payment_url":"http:/)
    })
  )

  it.effect("call a tool", () =>
    Effect.gen(function* () {
      const out = yield* run(ROOT, "Connect an assistant")
      expect(statuses(out)).toEqual([200])
      expect(out).toContain('"structuredContent":{"ok":true')
    })
  )

  it.effect("configure an assistant that sees the eleven tools", () =>
    Effect.gen(function* () {
      const { url } = yield* TestService.RunningService
      const { backlinks } = JSON.parse(textOf(ROOT, "Connect an assistant", "json")).mcpServers
      const answer = yield* Effect.promise(() =>
        fetch(backlinks.url.replace("http://127.0.0.1:3000", url), {
          method: "POST",
          headers: {
            ...backlinks.headers,
            "content-type": "application/json",
            accept: "application/json, text/event-stream"
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
        }).then((response) => response.text())
      )
      expect(tools).toHaveLength(11)
      expect([...answer.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name)).toEqual(tools.map(({ name }) => name))
    })
  )
})

/** What a start with demo data prints, from its address to the link for people. */
const announced = async (service: ChildProcess): Promise<ReadonlyMap<string, string>> => {
  const lines = new Map<string, string>()
  if (service.stdout === null) throw new Error("its standard output is read here")
  for await (const line of createInterface(service.stdout)) {
    const [, name = "", value = ""] = /^(listening on|[\w -]+:) (\S+)$/.exec(line) ?? []
    lines.set(name, value)
    if (name === "demo sign-in:") break
  }
  return lines
}

it("the printed link signs in, and Orders shows what curl has just bought", async () => {
  const { NODE_ENV: _, DATABASE_URL: __, ...env } = process.env
  const settings = { STORE: "memory", PORT: "0" }
  const service = spawn(process.execPath, ["adapters/main.ts"], {
    env: { ...env, ...settings },
    stdio: ["ignore", "pipe", "inherit"]
  })
  try {
    const lines = await announced(service)
    const bought = await runAt(ROOT, "Buy a link", lines.get("listening on") ?? "")
    const [, key = ""] = /^KEY=(\S+)$/m.exec(textOf(ROOT, "Buy a link", "sh")) ?? []
    expect(lines.get("demo live key:")).toBe(key)
    const [, orderId = ""] = /"order_id":"(ord_\w+)"/.exec(bought) ?? []
    const link = new URL(lines.get("demo sign-in:") ?? "")
    const page = await (await fetch(link)).text()
    const [, path = "", token = ""] =
      /action="([^"]+)">\s*<input type="hidden" name="token" value="([^"]+)"/.exec(page) ?? []
    const signedIn = await fetch(new URL(path, link), {
      method: "POST",
      redirect: "manual",
      headers: { "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ token })
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ")
    const orders = await (await fetch(new URL("/account/orders", link), { headers: { cookie } })).text()
    expect(orderId).toMatch(/^ord_/)
    expect(orders).toContain(`href="/account/orders/${orderId}"`)
    const order = await (await fetch(new URL(`/account/orders/${orderId}`, link), { headers: { cookie } })).text()
    expect(order).toContain("spring garden tools")
    expect(order).toContain("timeline")
  } finally {
    service.kill("SIGKILL")
  }
})
