// Messages over a pair of streams, one a line. The SDK's own transport reads a line as leniently as `JSON.parse` does, so that
// an order might be read otherwise than its sender meant it, and says nothing to one that it cannot read; this one reads as
// strictly as the API and answers. Where the SDK drops what is under way when the input ends, this one closes once that is answered:
// a client may write its requests, end the input and read on.
import type { Readable, Writable } from "node:stream"
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  isSpecType,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type Transport
} from "@modelcontextprotocol/server"
import { Predicate, Result } from "effect"
import { BodyTooLarge } from "#adapters/contract/errors/AdapterFailure.ts"
import type { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { parseErrorResponse } from "./JsonRpcErrors.ts"
import { type Line, makeLineSplitter } from "./NewlineFraming.ts"

export interface LineOptions {
  /** Reads JSON as strictly as the API does. */
  readonly readJson: (bytes: Uint8Array) => Result.Result<unknown, Failure>
  /** No line may be longer. */
  readonly limitBytes: number
}

export interface StdioTransportOptions extends LineOptions {
  readonly input: Readable
  readonly output: Writable
  readonly explain: (failure: Failure) => ErrorBody
  /** After the end of the input. */
  readonly drainTimeoutMs?: number
}

export interface StdioTransport extends Transport {
  /** Settled once nothing more is read or written, whoever closed it. */
  readonly closed: Promise<void>
}

/** As long as the service lets requests finish when it is told to stop. SIGTERM does not wait for this. */
const DRAIN_TIMEOUT_MS = 10_000

/** Up to the space: all of JSON's white space, and nothing that JSON could begin with. */
const isBlank = (line: Line): boolean => line?.every((byte) => byte <= 32) ?? false

/** JSON, but no message. It is answered by its id, where it has one. */
const invalidRequestResponse = (value: unknown) => {
  const id = Predicate.hasProperty(value, "id") ? value.id : null
  return {
    jsonrpc: "2.0",
    id: typeof id === "string" || typeof id === "number" ? id : null,
    error: { code: ProtocolErrorCode.InvalidRequest, message: "The line is not one valid JSON-RPC message." }
  }
}

const cancelledBy = (message: JSONRPCMessage): unknown =>
  isJSONRPCNotification(message) && message.method === "notifications/cancelled"
    ? message.params?.["requestId"]
    : undefined

export const makeStdioTransport = (options: StdioTransportOptions): StdioTransport => {
  const { input, output, limitBytes, readJson, explain, drainTimeoutMs: finishWithinMs = DRAIN_TIMEOUT_MS } = options
  const cut = makeLineSplitter(limitBytes)
  const unanswered = new Set<unknown>()
  const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>()
  let ended = false
  let over = false
  let bound: NodeJS.Timeout | undefined

  const write = (message: object): Promise<void> =>
    new Promise((resolve, reject) => {
      if (over) reject(new Error("The connection is closed."))
      else output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  /** That it could not be written is heard of on the stream itself. */
  const answer = (message: object): void => void write(message).catch(() => {})

  const pass = (message: JSONRPCMessage): void => {
    if (isJSONRPCRequest(message)) unanswered.add(message.id)
    // Nobody answers what was cancelled.
    unanswered.delete(cancelledBy(message))
    transport.onmessage?.(message)
  }

  const hear = (line: Line): void => {
    if (isBlank(line)) return
    const read = line === undefined ? Result.fail(new BodyTooLarge({ limitBytes })) : readJson(line)
    if (Result.isFailure(read)) answer(parseErrorResponse(explain(read.failure)))
    else if (isSpecType.JSONRPCMessage(read.success)) pass(read.success)
    // An error is never answered with an error: two that do not understand each other would go on for ever.
    else if (!Predicate.hasProperty(read.success, "error")) answer(invalidRequestResponse(read.success))
  }
  const onData = (piece: Buffer): void => cut(piece).forEach(hear)
  const onInputError = (error: Error): void => transport.onerror?.(error)
  const close = (): void => {
    if (over) return
    over = true
    clearTimeout(bound)
    input.off("data", onData).off("error", onInputError).off("end", onEnd).off("close", onEnd)
    // Whatever else the client says, nobody waits for it, and the process need not stay for it.
    input.pause()
    transport.onclose?.()
    tellClosed()
  }
  const onEnd = (): void => {
    if (ended) return
    ended = true
    if (unanswered.size === 0) close()
    else bound = setTimeout(close, finishWithinMs)
  }
  /** Stays when the rest is taken off: what was still on its way fails after the end, and nobody has to hear of that. */
  const onOutputError = (error: Error): void => {
    if (over) return
    transport.onerror?.(error)
    close()
  }

  const transport: StdioTransport = {
    closed,
    start: async () => {
      input.on("data", onData).on("error", onInputError).on("end", onEnd).on("close", onEnd)
      output.on("error", onOutputError)
      // An end that came before is not told again.
      if (input.readableEnded || input.destroyed) setImmediate(onEnd)
    },
    send: async (message) => {
      await write(message)
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) unanswered.delete(message.id)
      if (ended && unanswered.size === 0) close()
    },
    close: async () => close()
  }
  return transport
}
