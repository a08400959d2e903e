// SIGTERM to npm itself, as a container's or systemd's stop sends it, reaches the service.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { expect, it } from "vitest"

const isAnswered = async (url: string): Promise<boolean> => {
  try {
    await fetch(url)
    return true
  } catch {
    return false
  }
}

const scripts = [
  { script: "start", settings: { STORE: "memory" } },
  { script: "mcp", settings: { API_URL: "http://127.0.0.1:1" } }
]

it.each(scripts)("npm run $script exits together with its program on SIGTERM", async ({ script, settings }) => {
  const { NODE_ENV: _, ...env } = process.env
  // A new process group, so that the test can end what is left.
  const npm = spawn("npm", ["run", script], { env: { ...env, ...settings, PORT: "0" }, detached: true })
  try {
    let url = ""
    for await (const line of createInterface(npm.stdout)) {
      const [, address] = /^listening on (http:\S+)/.exec(line) ?? []
      if (address === undefined) continue
      url = address
      break
    }
    expect(await isAnswered(url)).toBe(true)
    npm.kill("SIGTERM")
    await once(npm, "exit")
    expect(await isAnswered(url)).toBe(false)
  } finally {
    if (npm.pid !== undefined) {
      try {
        process.kill(-npm.pid, "SIGKILL")
      } catch {
        // No process is left.
      }
    }
  }
})
