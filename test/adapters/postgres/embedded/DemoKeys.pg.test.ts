// The demo's keys are public: a production start does not load them, and a store that was tried with them loses them.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { demoKeys } from "#adapters/demo/Demo.ts"
import { type ServiceProcess, serviceProcess } from "./ServiceProcess.ts"

const PRODUCTION = {
  NODE_ENV: "production",
  PAYMENTS: "simulated",
  PUBLIC_URL: "https://links.example.com",
  SMTP_URL: "smtp://mail.example",
  MAIL_FROM: "shop@mail.example"
}

/** The status of a read with each demo key. */
const statuses = async ({ announced }: ServiceProcess): Promise<ReadonlyArray<number>> => {
  const url = announced.find((line) => line.startsWith("listening on "))?.slice("listening on ".length) ?? ""
  const ask = ({ text }: { readonly text: string }) =>
    fetch(`${url}/api/v1/agent/balance`, { headers: { authorization: `Bearer ${text}` } }).then(({ status }) => status)
  return Promise.all(demoKeys.map(ask))
}

const stop = async (service: ServiceProcess): Promise<string> => {
  service.kill("SIGTERM")
  await service.ended
  return service.stderr
}

it("a production start with demo data is refused, and one with DEMO=off revokes the demo keys that it finds", async () => {
  const folder = mkdtempSync(join(tmpdir(), "demo-keys-"))
  const started: Array<ServiceProcess> = []
  const start = async (env: Readonly<Record<string, string>>) => {
    const service = await serviceProcess(join(folder, "data"), undefined, env)
    started.push(service)
    return service
  }
  try {
    const tried = await start({})
    expect(await statuses(tried)).toEqual(demoKeys.map(() => 200))
    await stop(tried)

    const refused = await start(PRODUCTION)
    expect(await refused.ended).toEqual([1, null])
    expect(await refused.stderr).toContain("Set DEMO=off")

    const first = await start({ ...PRODUCTION, DEMO: "off" })
    expect(await statuses(first)).toEqual(demoKeys.map(() => 401))
    const told = await stop(first)
    for (const { label, text } of demoKeys) {
      expect(told).toMatch(new RegExp(`Revoked key_\\w+, the ${label}: its text is published`))
      expect(told).not.toContain(text)
    }
    expect(told.match(/Ended the members of /g)).toHaveLength(2)
    expect(told).toContain("no money is taken")

    const second = await start({ ...PRODUCTION, DEMO: "off" })
    expect(await statuses(second)).toEqual(demoKeys.map(() => 401))
    const toldAgain = await stop(second)
    expect(toldAgain).not.toContain("Revoked key_")
    expect(toldAgain).not.toContain("Ended the members of ")
    expect(toldAgain).toContain("no money is taken")
  } finally {
    for (const { kill } of started) kill("SIGKILL")
    await Promise.all(started.map(({ ended }) => ended))
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)
