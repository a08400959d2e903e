// When the stdio transport closes, and what keeps it open.
import { PassThrough } from "node:stream"
import { setImmediate as turn } from "node:timers/promises"
import type { JSONRPCMessage } from "@modelcontextprotocol/server"
import { expect, it } from "vitest"
import { type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"
import { MAX_BODY_BYTES, readJson } from "#adapters/http/server/RequestBody.ts"
import { makeStdioTransport } from "#adapters/mcp/StdioTransport.ts"

const line = (message: unknown) => `${JSON.stringify(message)}\n`
const ask = (id: number | string) => line({ jsonrpc: "2.0", id, method: "ping" })
const cancel = (requestId: number) => line({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } })
const answer = (id: number | string): JSONRPCMessage => ({ jsonrpc: "2.0", id, result: {} })

const open = async (finishWithinMs = 60_000) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const explain = (failure: Failure) => toErrorResponse(failure, "req_1").body
  const transport = makeStdioTransport({
    input,
    output,
    readJson,
    limitBytes: MAX_BODY_BYTES,
    explain,
    drainTimeoutMs: finishWithinMs
  })
  const seen = { closes: 0 }
  transport.onclose = () => {
    seen.closes += 1
  }
  await transport.start()
  return { input, output, transport, seen }
}

it("closes at the end of input once the last response is written", async () => {
  const { input, output, transport, seen } = await open()
  input.end(ask(1) + ask("b"))
  await turn()
  await transport.send({ jsonrpc: "2.0", method: "notifications/progress" })
  await transport.send(answer(1))
  expect(seen.closes).toBe(0)
  await transport.send({ jsonrpc: "2.0", id: "b", error: { code: -32603, message: "No." } })
  await transport.closed
  expect(seen.closes).toBe(1)
  output.end()
  expect((await output.toArray()).join("").trim().split("\n")).toHaveLength(3)
  await expect(transport.send(answer(1))).rejects.toThrow()
})

it("stays open while the input is open", async () => {
  const { input, transport, seen } = await open()
  input.write(ask(1))
  await turn()
  await transport.send(answer(1))
  await turn()
  expect(seen.closes).toBe(0)
})

it("does not wait for notifications or cancelled requests", async () => {
  for (const text of [
    "",
    ask(1) + cancel(1),
    line({ jsonrpc: "2.0", method: "notifications/initialized" }),
    '{"id":'
  ]) {
    const { input, transport } = await open()
    input.end(text)
    await transport.closed
  }
})

it("waits no longer than its time limit", async () => {
  const { input, transport, seen } = await open(1)
  input.end(ask(1))
  await transport.closed
  expect(seen.closes).toBe(1)
})

it("closes at once when the output is closed, or on request", async () => {
  const dead = await open()
  dead.input.end(ask(1))
  dead.output.destroy(new Error("EPIPE"))
  await dead.transport.closed
  const told = await open()
  told.input.write(ask(1))
  await told.transport.close()
  await told.transport.close()
  expect(told.seen.closes).toBe(1)
})
