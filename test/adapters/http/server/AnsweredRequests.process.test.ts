// A request that was answered is garbage for the next minor collection: nothing in the old generation keeps it until a major one. Where
// requests were kept, collections copied them, which cost an order a tenth of its CPU time.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import { demoKeys } from "#adapters/demo/Demo.ts"
import type { HeapReport } from "./HeapProbe.ts"

const AT_ONCE = 250
const ROUNDS = 6

/** About 200 are measured, and 6,650 where requests are kept. */
const MAX_BYTES_PER_REQUEST = 2_000

const main = fileURLToPath(new URL("../../../../adapters/main.ts", import.meta.url))

const startService = async () => {
  const flags = ["--expose-gc", `--import=${new URL("./HeapProbe.ts", import.meta.url).href}`]
  const child = spawn(process.execPath, [...flags, main], {
    env: { ...process.env, STORE: "memory", PORT: "0", LOG_LEVEL: "error", RATE_LIMIT_ORDERS: "0" },
    stdio: ["ignore", "pipe", "inherit", "ipc"]
  })
  onTestFinished(async () => {
    const exited = once(child, "exit")
    child.kill("SIGKILL")
    await exited
  })
  const ask = async (order: "collect" | "report"): Promise<HeapReport> => {
    const answer = once(child, "message")
    child.send(order)
    const [report] = await answer
    return report
  }
  if (child.stdout === null) throw new Error("its output is a pipe")
  for await (const line of createInterface({ input: child.stdout })) {
    const [, port] = /^listening on http\S+:(\d+)$/.exec(line) ?? []
    if (port !== undefined) return { ask, port: Number(port) }
  }
  throw new Error("the service did not start")
}

const [begun, rest] = ['{"items"', ":[]}"]

/** A request whose body is still to come, so that it waits within its operation. */
const beginRequest = (socket: Socket): void => {
  const head = [
    "POST /api/v1/agent/orders HTTP/1.1",
    "Host: shop.example",
    `Authorization: Bearer ${demoKeys[0]?.text}`,
    "Content-Type: application/json",
    `Content-Length: ${begun.length + rest.length}`
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n${begun}`)
}

/** The status of the response, once all of it has come. */
const endRequest = async (socket: Socket): Promise<number> => {
  socket.write(rest)
  let text = ""
  for (;;) {
    const [part] = await once(socket, "data")
    text += part
    const [head, status, length] = /^HTTP\/1.1 (\d+) .*?^content-length: (\d+)\r\n.*?\r\n\r\n/ims.exec(text) ?? []
    if (head !== undefined && text.length >= head.length + Number(length)) return Number(status)
  }
}

test("an answered request is not retained beyond the next minor garbage collection", async () => {
  const { ask, port } = await startService()
  const open = () => connect(port, "127.0.0.1").setEncoding("latin1")
  const sockets = Array.from({ length: AT_ONCE }, open)
  // One is under way all the time, as under load, so that what the service keeps of those in flight never becomes empty.
  beginRequest(open())
  let begunSoFar = 1

  const begin = async (): Promise<void> => {
    for (const socket of sockets) beginRequest(socket)
    begunSoFar += AT_ONCE
    while ((await ask("report")).requests < begunSoFar) await setTimeout(5)
  }
  const end = async (): Promise<void> => {
    for (const status of await Promise.all(sockets.map(endRequest))) expect(status).toBe(422)
  }

  // Those of the first round get into the old generation, because they survive two collections.
  await begin()
  await ask("collect")
  await ask("collect")
  await end()

  // Each collection may only promote what is left of the round before, which is over.
  let retained = 0
  for (let round = 0; round < ROUNDS; round++) {
    await begin()
    const before = await ask("report")
    const after = await ask("collect")
    await end()
    if (round > 1) retained += after.oldBytes - before.oldBytes
  }
  expect(retained / (AT_ONCE * (ROUNDS - 2))).toBeLessThan(MAX_BYTES_PER_REQUEST)
})
