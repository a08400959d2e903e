// MCP over standard input and output, for a client that starts the server itself: one caller, whose key comes from the
// environment. Standard output carries the protocol only.
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { Effect, type Redacted, Result } from "effect"
import { type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"
import { MAX_BODY_BYTES, readJson } from "#adapters/http/server/RequestBody.ts"
import { CurrentRequestId, makeRequestId } from "#adapters/http/server/RequestId.ts"
import { makeCallTool } from "./CallTool.ts"
import type { OrderingApi } from "./OrderingApi.ts"
import { plainMessage } from "./PlainArguments.ts"
import { makeStdioTransport } from "./StdioTransport.ts"
import type { Surface } from "./Surface.ts"
import { toolServerOf } from "./ToolServer.ts"

const explain = (failure: Failure) => toErrorResponse(failure, Effect.runSync(makeRequestId)).body

const withRequestId = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeRequestId, (requestId) => Effect.provideService(effect, CurrentRequestId, requestId))

/**
 * Serves until the client has ended the input and received its responses, or until it is gone. A client that dies during a call is
 * noticed only by a failed write to standard output.
 */
export const serve = Effect.fnUntraced(function* (
  surface: Surface,
  key: Redacted.Redacted<string>
): Effect.fn.Return<void, never, OrderingApi> {
  const callTool = yield* makeCallTool(surface)
  const context = yield* Effect.context<never>()
  const run = Effect.runPromiseWith(context)
  const log = Effect.runForkWith(context)
  const transport = makeStdioTransport({
    input: process.stdin,
    output: process.stdout,
    readJson: (bytes) => Result.map(readJson(bytes), plainMessage),
    limitBytes: MAX_BODY_BYTES,
    explain
  })
  const start = Effect.sync(() =>
    serveStdio(
      () =>
        toolServerOf(surface)({
          call: (tool, args, { signal, state }) => run(withRequestId(callTool(tool, args, key, state)), { signal }),
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
    start,
    () => Effect.promise(() => transport.closed),
    (handle) => Effect.promise(() => handle.close())
  )
})
