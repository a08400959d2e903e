// Messages over a pair of streams, one a line. The SDK's own transport reads a line as leniently as `JSON.parse` does, so that
// an order might be read otherwise than its sender meant it, and says nothing to one that it cannot read; this one reads as
// strictly as the API and answers. What it makes of an end, of a reader that is gone and of being closed is the SDK's way.
import type { Readable, Writable } from "node:stream"
import { isSpecType, ProtocolErrorCode, type Transport } from "@modelcontextprotocol/server"
import { Predicate, Result } from "effect"
import { BodyTooLarge } from "#adapters/contract/AdapterFailure.ts"
import type { ErrorBody } from "#adapters/contract/ErrorBody.ts"
import type { Failure } from "#adapters/contract/ErrorTable.ts"
import { type Line, makeLineCutter } from "./Lines.ts"
import { unreadable } from "./Unreadable.ts"

export interface LineRules {
  /** Reads JSON as strictly as the API does. */
  readonly readJson: (bytes: Uint8Array) => Result.Result<unknown, Failure>
  /** No line may be longer. */
  readonly limitBytes: number
}

export interface StdioTransportOptions extends LineRules {
  readonly input: Readable
  readonly output: Writable
  readonly explain: (failure: Failure) => ErrorBody
}

/** Up to the space: all of JSON's white space, and nothing that JSON could begin with. */
const isBlank = (line: Line): boolean => line?.every((byte) => byte <= 32) ?? false

/** JSON, but no message. It is answered by its id, where it has one. */
const noMessage = (value: unknown) => {
  const id = Predicate.hasProperty(value, "id") ? value.id : null
  return {
    jsonrpc: "2.0",
    id: typeof id === "string" || typeof id === "number" ? id : null,
    error: { code: ProtocolErrorCode.InvalidRequest, message: "The line is not one valid JSON-RPC message." }
  }
}

export const makeStdioTransport = (options: StdioTransportOptions): Transport => {
  const { input, output, limitBytes, readJson, explain } = options
  const cut = makeLineCutter(limitBytes)
  let closed = false

  const write = (message: object): Promise<void> =>
    new Promise((resolve, reject) => {
      if (closed) reject(new Error("The connection is closed."))
      else output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  /** That it could not be written is heard of on the stream itself. */
  const answer = (message: object): void => void write(message).catch(() => {})

  const hear = (line: Line): void => {
    if (isBlank(line)) return
    const read = line === undefined ? Result.fail(new BodyTooLarge({ limitBytes })) : readJson(line)
    if (Result.isFailure(read)) answer(unreadable(explain(read.failure)))
    else if (isSpecType.JSONRPCMessage(read.success)) transport.onmessage?.(read.success)
    // An error is never answered with an error: two that do not understand each other would go on for ever.
    else if (!Predicate.hasProperty(read.success, "error")) answer(noMessage(read.success))
  }
  const onData = (piece: Buffer): void => cut(piece).forEach(hear)
  const onInputError = (error: Error): void => transport.onerror?.(error)
  const onEnd = (): void => void transport.close()
  /** Stays when the rest is taken off: what was still on its way fails after the end, and nobody has to hear of that. */
  const onOutputError = (error: Error): void => {
    if (closed) return
    transport.onerror?.(error)
    onEnd()
  }

  const transport: Transport = {
    start: async () => {
      input.on("data", onData).on("error", onInputError).on("end", onEnd).on("close", onEnd)
      output.on("error", onOutputError)
      // An end that came before is not told again.
      if (input.readableEnded || input.destroyed) setImmediate(onEnd)
    },
    send: write,
    close: async () => {
      if (closed) return
      closed = true
      input.off("data", onData).off("error", onInputError).off("end", onEnd).off("close", onEnd)
      // Whatever else the client says, nobody waits for it, and the process need not stay for it.
      input.pause()
      transport.onclose?.()
    }
  }
  return transport
}
