// MCP messages over a pair of streams, one per line. The SDK's own transport parses as leniently as `JSON.parse`, so that it may
// misread an order; it ignores lines that it cannot parse, and drops pending requests when the input ends. This one parses as strictly
// as the API, responds to invalid lines, and closes after the responses to pending requests: a client may write its requests, end the
// input and then read the responses.
import type { Readable, Writable } from "node:stream"
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  isSpecType,
  type JSONRPCMessage,
  type Transport
} from "@modelcontextprotocol/server"
import { Predicate, Result } from "effect"
import { BodyTooLarge } from "#adapters/contract/errors/AdapterFailure.ts"
import type { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { invalidRequestResponse, parseErrorResponse } from "./JsonRpcErrors.ts"
import { type Line, makeLineSplitter } from "./NewlineFraming.ts"

export interface StdioTransportOptions {
  readonly input: Readable
  readonly output: Writable
  /** Parses JSON as strictly as the API does. */
  readonly readJson: (bytes: Uint8Array) => Result.Result<unknown, Failure>
  /** The longest line. */
  readonly limitBytes: number
  readonly explain: (failure: Failure) => ErrorBody
  /** How long pending requests may take after the end of the input. */
  readonly drainTimeoutMs?: number
}

export interface StdioTransport extends Transport {
  /** Resolves once nothing more is read or written. */
  readonly closed: Promise<void>
}

/** The time for which the service drains when it is stopped. SIGTERM does not wait for it. */
const DRAIN_TIMEOUT_MS = 10_000

/** Codes up to the space include all of JSON's white space and no character that JSON can begin with. */
const isBlank = (line: Line): boolean => line?.every((byte) => byte <= 32) ?? false

const cancelledBy = (message: JSONRPCMessage): unknown =>
  isJSONRPCNotification(message) && message.method === "notifications/cancelled"
    ? message.params?.["requestId"]
    : undefined

export const makeStdioTransport = (options: StdioTransportOptions): StdioTransport => {
  const { input, output, limitBytes, readJson, explain, drainTimeoutMs = DRAIN_TIMEOUT_MS } = options
  const splitLines = makeLineSplitter(limitBytes)
  const pending = new Set<unknown>()
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<void>()
  let inputEnded = false
  let isClosed = false
  let drainTimer: NodeJS.Timeout | undefined

  const write = (message: object): Promise<void> =>
    new Promise((resolve, reject) => {
      if (isClosed) reject(new Error("The connection is closed."))
      else output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  /** A failed write is reported by the stream itself. */
  const respond = (message: object): void => void write(message).catch(() => {})

  const dispatch = (message: JSONRPCMessage): void => {
    if (isJSONRPCRequest(message)) pending.add(message.id)
    // A cancelled request gets no response.
    pending.delete(cancelledBy(message))
    transport.onmessage?.(message)
  }

  const onLine = (line: Line): void => {
    if (isBlank(line)) return
    const read = line === undefined ? Result.fail(new BodyTooLarge({ limitBytes })) : readJson(line)
    if (Result.isFailure(read)) respond(parseErrorResponse(explain(read.failure)))
    else if (isSpecType.JSONRPCMessage(read.success)) dispatch(read.success)
    // An error gets no error in response: two peers that do not understand each other would never stop.
    else if (!Predicate.hasProperty(read.success, "error")) respond(invalidRequestResponse(read.success))
  }
  const onData = (chunk: Buffer): void => splitLines(chunk).forEach(onLine)
  const onInputError = (error: Error): void => transport.onerror?.(error)
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    clearTimeout(drainTimer)
    input.off("data", onData).off("error", onInputError).off("end", onEnd).off("close", onEnd)
    // Further input is ignored, and does not keep the process alive.
    input.pause()
    transport.onclose?.()
    resolveClosed()
  }
  const onEnd = (): void => {
    if (inputEnded) return
    inputEnded = true
    if (pending.size === 0) close()
    else drainTimer = setTimeout(close, drainTimeoutMs)
  }
  /** Stays attached after closing, when pending writes fail; that is not an error then. */
  const onOutputError = (error: Error): void => {
    if (isClosed) return
    transport.onerror?.(error)
    close()
  }

  const transport: StdioTransport = {
    closed,
    start: async () => {
      input.on("data", onData).on("error", onInputError).on("end", onEnd).on("close", onEnd)
      output.on("error", onOutputError)
      // A stream that has already ended does not emit the event again.
      if (input.readableEnded || input.destroyed) setImmediate(onEnd)
    },
    send: async (message) => {
      await write(message)
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) pending.delete(message.id)
      if (inputEnded && pending.size === 0) close()
    },
    close: async () => close()
  }
  return transport
}
