// One call of a tool: read the arguments, relay the REST call, hand its answer on. Every outcome is a result that a model can
// read; what went wrong inside is logged and never shown.
import type { CallToolResult } from "@modelcontextprotocol/server"
import { Effect, Option, type Redacted, Result, Schema } from "effect"
import { InternalError } from "#adapters/contract/AdapterFailure.ts"
import { ErrorBody } from "#adapters/contract/ErrorBody.ts"
import type { Failure } from "#adapters/contract/ErrorTable.ts"
import { countedError } from "#adapters/contract/RefusalCounters.ts"
import { Api, type ApiAnswer, type ApiSilent } from "./Api.ts"
import type { Arguments } from "./Arguments.ts"
import type { Tool } from "./Tool.ts"

/** Never fails: a refusal is a result too. */
export type CallTool = (tool: Tool, args: Arguments, key: Redacted.Redacted<string>) => Effect.Effect<CallToolResult>

const content = (text: string): CallToolResult["content"] => [{ type: "text", text }]

const refusalOf = (text: string): CallToolResult => ({ content: content(text), isError: true })

/** The API is our own: that its answers are what their schemas say is for tests to show, not for every call. */
const isSuccess = (value: unknown): value is { readonly ok: true } =>
  typeof value === "object" && value !== null && "ok" in value && value.ok === true
const isRefusal = Schema.is(ErrorBody)
const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** `None` for what the API would never say, such as a proxy's page in front of it. */
const resultOf = ({ present = (text) => text }: Tool, { status, text }: ApiAnswer): Option.Option<CallToolResult> => {
  if (status >= 400) return Option.map(Option.filter(parse(text), isRefusal), () => refusalOf(text))
  const shown = present(text)
  return Option.map(Option.filter(parse(shown), isSuccess), (structuredContent) => ({
    content: content(shown),
    structuredContent
  }))
}

/** 25,000 tokens, which is all that a client may take of a result, at no more than one token for three characters. */
const MAX_CHARACTERS = 75_000

/** The same arguments for a page half as long; `None` where there are no pages, or none that are shorter. */
const halved = ({ pageSize = 1 }: Tool, { limit = pageSize, ...args }: Arguments): Option.Option<Arguments> =>
  pageSize > 1 && Number(limit) > 1 ? Option.some({ ...args, limit: Math.floor(Number(limit) / 2) }) : Option.none()

/** `requestId` is the id of the request in hand, for refusals that are not the API's. */
export const makeCallTool = Effect.fnUntraced(function* (requestId: Effect.Effect<string>) {
  const api = yield* Api

  /** Those of the API are the API's to count. */
  const refuse = (failure: Failure): Effect.Effect<CallToolResult> =>
    Effect.flatMap(requestId, (id) => countedError(failure, id)).pipe(
      Effect.map(({ body }) => refusalOf(JSON.stringify(body)))
    )

  const relay: (...of: Parameters<CallTool>) => Effect.Effect<CallToolResult, ApiSilent> = Effect.fnUntraced(
    function* (tool, args, key) {
      const request = tool.request(args)
      if (Result.isFailure(request)) return yield* refuse(request.failure)
      const answer = yield* api.call(key, request.success)
      const shorter = answer.text.length > MAX_CHARACTERS ? halved(tool, args) : Option.none()
      if (Option.isSome(shorter)) return yield* relay(tool, shorter.value, key)
      const result = resultOf(tool, answer)
      if (Option.isSome(result)) return result.value
      yield* Effect.logError(`${tool.route} was answered with status ${answer.status} and no body of the API`)
      return yield* refuse(new InternalError())
    }
  )

  const call: CallTool = (tool, args, key) =>
    relay(tool, args, key).pipe(
      Effect.catchTag("ApiSilent", ({ cause }) =>
        Effect.andThen(Effect.logError(`${tool.route} was not answered`, cause), refuse(new InternalError()))
      ),
      Effect.catchDefect((defect) =>
        Effect.andThen(Effect.logError(`The tool ${tool.name} failed on our side`, defect), refuse(new InternalError()))
      ),
      Effect.withSpan("Mcp.callTool", { attributes: { "mcp.tool": tool.name } }, { captureStackTrace: false })
    )
  return call
})
