// The commands of the root README, run by a shell against a service with demo data; only the address differs. Then the second minute: the
// printed link is opened, and the member area shows what the commands have bought.
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect, it } from "vitest"
import * as TestService from "#test/scenarios/RunningService.ts"

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")

/** The shell commands of a section, in order. */
const commandsOf = (title: string): string => {
  const section = (readme.split(`\n## ${title}\n`)[1] ?? "").split("\n## ")[0] ?? ""
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = ""]) => text).join("\n")
}

/** Runs in bash as pasted; each curl prints a line with the status after its response. */
const runAt = (title: string, url: string): Promise<string> => {
  const script = commandsOf(title)
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

const run = (title: string) =>
  Effect.flatMap(TestService.RunningService, ({ url }) => Effect.promise(() => runAt(title, url)))

const statuses = (out: string) => [...out.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status))

layer(TestService.layer({ DEMO: "on" }), { excludeTestServices: true })("the commands of the README", (it) => {
  it.effect("buy a link, from credit and for a human to pay", () =>
    Effect.gen(function* () {
      const out = yield* run("Buy a link")
      expect(out).toMatch(/\nexit 0$/)
      expect(statuses(out)).toEqual([200, 200, 201, 200, 201, 200])
      expect(out).toContain('"order_status":"paid"')
      expect(out).toMatch(/"payment_url":"http:/)
    })
  )

  it.effect("call a tool", () =>
    Effect.gen(function* () {
      const out = yield* run("Connect an assistant")
      expect(statuses(out)).toEqual([200])
      expect(out).toContain('"structuredContent":{"ok":true')
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
    const bought = await runAt("Buy a link", lines.get("listening on") ?? "")
    const [, orderId = ""] = /"order_id":"(ord_\w+)"/.exec(bought) ?? []
    const link = new URL(lines.get("demo sign-in:") ?? "")
    const page = await (await fetch(link)).text()
    const [, path = "", token = ""] =
      /action="([^"]+)"><input type="hidden" name="token" value="([^"]+)"/.exec(page) ?? []
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
