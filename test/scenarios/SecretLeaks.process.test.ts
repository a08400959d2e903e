// The service as `npm start` runs it, with logs of every level: no key, secret or payment token on standard error, and only the demo's
// keys on standard output.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { Schema } from "effect"
import { expect, it } from "vitest"

const API = "/api/v1/agent"

const order = (site_id: number) => ({
  items: [{ site_id, target_url: "https://brand.example/", anchor_text: "a page", anchor_type: "partial" }]
})

const ask = async (url: string, key: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  return await fetch(url, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) })
}

const subscribed = Schema.decodeUnknownSync(Schema.Struct({ secret: Schema.String }))
const ordered = Schema.decodeUnknownSync(Schema.Struct({ payment_url: Schema.String }))

/** Subscribes, orders, pays at the page and makes mistakes. Returns the secrets of these calls. */
const visit = async (url: string, key: string): Promise<ReadonlyArray<string>> => {
  const hook = { url: `${url}/healthz`, events: ["order.accepted"] }
  const { secret } = subscribed(await (await ask(`${url}${API}/webhooks`, key, hook)).json())
  const { payment_url } = ordered(await (await ask(`${url}${API}/orders`, key, order(1))).json())
  await fetch(payment_url)
  await fetch(`${payment_url}/pay`, { method: "POST", redirect: "manual" })
  await ask(`${url}${API}/orders?key=${key}`, key)
  await ask(`${url}${API}/orders`, `${key}x`, order(1))
  await ask(`${url}${API}/orders`, key, { ...order(1), api_key: key })
  await ask(`${url}${API}/orders`, key, order(999_999))
  return [key.slice("sn_live_".length, -6), secret, new URL(payment_url).pathname.slice("/pay/".length)]
}

it("with logs of every level, the program writes no key, secret or token to standard error", async () => {
  const settings = {
    PORT: "0",
    STORE: "memory",
    LOG_LEVEL: "trace",
    LOG_FORMAT: "json",
    WEBHOOK_INSECURE_TARGETS: "true"
  }
  const { NODE_ENV: _, ...env } = process.env
  const service = spawn(process.execPath, ["adapters/main.ts"], { env: { ...env, ...settings } })
  try {
    const written: Array<string> = []
    service.stderr.on("data", (bytes: Buffer) => written.push(bytes.toString("utf8")))
    const printed: Array<string> = []
    for await (const line of createInterface(service.stdout)) {
      printed.push(line)
      if (line.startsWith("demo read-only key:")) break
    }
    const [address = ""] = printed.filter((line) => line.startsWith("listening on "))
    const poor = printed.find((line) => line.startsWith("demo no-credit key: ")) ?? ""
    const secrets = await visit(address.slice("listening on ".length), poor.slice("demo no-credit key: ".length))
    service.kill("SIGTERM")
    // It stopped because of the signal.
    expect(await once(service, "close")).toEqual([0, null])
    const logs = written.join("")
    expect(logs).toContain("STORE=memory")
    expect(secrets.map((secret) => secret.length > 20)).toEqual([true, true, true])
    expect(secrets.filter((secret) => logs.includes(secret))).toEqual([])
  } finally {
    service.kill("SIGKILL")
  }
})
