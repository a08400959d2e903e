// The version of Node that a program asks for before it starts.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import packageJson from "../../../package.json" with { type: "json" }

const CHECK = fileURLToPath(new URL("../../../adapters/app/nodeVersion.js", import.meta.url))

/** A program that runs on a Node of this version, as far as it can tell. */
const startOn = (version: string) => {
  const pretence = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "${version}" })`
  return spawnSync(process.execPath, ["--import", pretence, "--import", CHECK, "-e", "console.log('started')"], {
    encoding: "utf8"
  })
}

describe("a program", () => {
  it.each(["20.20.2", "22.18.0"])("does not start on Node %s, and says what to do", (version) => {
    const { status, stdout, stderr } = startOn(version)
    expect([status, stdout]).toEqual([1, ""])
    expect(stderr).toBe(
      `This needs Node 22.19 or later, and runs on ${version}: install a newer one, or run "npm ci --include=dev", which brings one.\n`
    )
  })

  it.each(["22.19.0", "23.0.0", "24.21.0"])("starts on Node %s", (version) => {
    expect(startOn(version)).toMatchObject({ status: 0, stdout: "started\n", stderr: "" })
  })

  it("asks for what package.json promises", () => {
    expect(packageJson.engines.node).toBe(">=22.19")
  })

  it.each(["start", "mcp", "operator"] as const)("is checked by npm run %s", (script) => {
    expect(packageJson.scripts[script]).toContain("node --import ./adapters/app/nodeVersion.js adapters/")
  })
})
