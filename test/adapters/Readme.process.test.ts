// The commands of the root README, run by a shell against a service with demo data; only the address differs.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import * as TestService from "#test/scenarios/RunningService.ts"

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")

/** The shell commands of a section, in order. */
const commandsOf = (title: string): string => {
  const section = (readme.split(`\n## ${title}\n`)[1] ?? "").split("\n## ")[0] ?? ""
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = ""]) => text).join("\n")
}

/** Runs in bash as pasted; each curl prints a line with the status after its response. */
const run = (title: string) =>
  Effect.gen(function* () {
    const { url } = yield* TestService.RunningService
    const script = commandsOf(title)
      .replaceAll("http://127.0.0.1:3000", url)
      .replaceAll(/^curl /gm, "curl --write-out '\\nstatus %{http_code}\\n' ")
    return yield* Effect.callback<string>((resume) => {
      const child = spawn("bash", ["-euo", "pipefail", "-c", script], { stdio: ["ignore", "pipe", "inherit"] })
      let out = ""
      child.stdout.on("data", (text) => {
        out += String(text)
      })
      child.on("close", (code) => resume(Effect.succeed(`${out}\nexit ${code}`)))
    })
  })

const statuses = (out: string) => [...out.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status))

layer(TestService.layer({ DEMO: "on" }), { excludeTestServices: true })("the commands of the README", (it) => {
  it.effect("buy a link, from credit and for a human to pay", () =>
    Effect.gen(function* () {
      const out = yield* run("Buy a link")
      expect(out).toMatch(/\nexit 0$/)
      expect(statuses(out)).toEqual([200, 201, 201, 200, 201, 200])
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
