// MCP over standard input and output, for a client that starts the server itself: one caller, whose key comes from the
// environment. Standard output belongs to the protocol alone.
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { Effect, type Redacted } from "effect"
import { type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"
import { makeCallTool } from "./CallTool.ts"
import type { OrderingApi } from "./OrderingApi.ts"
import { type LineOptions, makeStdioTransport } from "./StdioTransport.ts"
import { makeToolServer } from "./ToolServer.ts"

export interface StdioOptions extends LineOptions {
  readonly key: Redacted.Redacted<string>
  /** A new one each time. */
  readonly makeRequestId: Effect.Effect<string>
}

/**
 * Serves until the client ends the input and has its answers, or is gone. One that dies while it is being answered is noticed on
 * standard output alone.
 */
export const serve = Effect.fnUntraced(function* ({
  key,
  makeRequestId,
  ...lineRules
}: StdioOptions): Effect.fn.Return<void, never, OrderingApi> {
  const callTool = yield* makeCallTool(makeRequestId)
  const context = yield* Effect.context<never>()
  const run = Effect.runPromiseWith(context)
  const log = Effect.runForkWith(context)
  const explain = (failure: Failure) => toErrorResponse(failure, Effect.runSync(makeRequestId)).body
  const transport = makeStdioTransport({ ...lineRules, input: process.stdin, output: process.stdout, explain })
  const opened = Effect.sync(() =>
    serveStdio(
      () =>
        makeToolServer({
          call: (tool, args, aborted) => run(callTool(tool, args, key), { signal: aborted }),
          explain
        }),
      {
        transport,
        maxSubscriptions: 0,
        onerror: (error) => log(Effect.logDebug("The MCP SDK refused a message", error.message))
      }
    )
  )
  yield* Effect.acquireUseRelease(
    opened,
    () => Effect.promise(() => transport.closed),
    (handle) => Effect.promise(() => handle.close())
  )
})
