// Calls a tool: reads the arguments, calls the API, returns its response. Every outcome is a response that a model can read; what
// went wrong inside is logged and never shown.
import { Effect, Option, Redacted, Result } from "effect"
import { checkLengths } from "#adapters/contract/decoding/BodyLengths.ts"
import { ApiUnreachable, InternalError } from "#adapters/contract/errors/AdapterFailure.ts"
import { credentialKindOf } from "#adapters/contract/errors/CredentialNouns.ts"
import { fitsTokens, MAX_RESULT_TOKENS } from "#adapters/contract/schema/TokenEstimate.ts"
import { SupportContact } from "#adapters/contract/shared/ServiceDescription.ts"
import { errorResponse, JsonResponse } from "#adapters/http/operations/JsonResponse.ts"
import type { OperationRequest } from "#adapters/http/operations/OperationRequest.ts"
import { isRepeatable } from "#adapters/http/operations/Repeatability.ts"
import type { Arguments } from "./Arguments.ts"
import { makeKeyRefusal } from "./KeyRefusal.ts"
import { OrderingApi } from "./OrderingApi.ts"
import type { Surface } from "./Surface.ts"
import type { Tool } from "./Tool.ts"
import { refusalWordedBy } from "./ToolWording.ts"

/** Never fails: a refusal is a response too. */
export type CallTool = (
  tool: Tool,
  args: Arguments,
  key: Redacted.Redacted<string>,
  state?: string
) => Effect.Effect<JsonResponse>

/** Most API restarts are over by then. */
const UNREACHABLE = new ApiUnreachable({ retryAfterSeconds: 5 })

const unreachable = ({ route }: Tool, request: OperationRequest, cause: unknown) =>
  Effect.andThen(
    Effect.logError(`${route} got no response from the API`, cause),
    errorResponse(UNREACHABLE, isRepeatable(request))
  )

/** The same arguments for a page half as long; `None` for a tool without pages, or a page of one. */
const withHalfLimit = ({ pageSize = 1 }: Tool, { limit, ...args }: Arguments): Option.Option<Arguments> => {
  const entries = Number(limit ?? pageSize)
  return pageSize > 1 && entries > 1 ? Option.some({ ...args, limit: Math.floor(entries / 2) }) : Option.none()
}

/** Refusals that are not the API's carry the id of the current request. */
export const makeCallTool = Effect.fnUntraced(function* (surface: Pick<Surface, "resource" | "wordError">) {
  const wordedFor = refusalWordedBy(surface.wordError)
  const api = yield* OrderingApi
  const refusalOf = yield* makeKeyRefusal(surface)
  const supportContact = yield* SupportContact
  const callApi: (...call: Parameters<CallTool>) => Effect.Effect<JsonResponse> = Effect.fnUntraced(
    function* (tool, args, key, state) {
      const by = credentialKindOf(Redacted.value(key))
      const worded = wordedFor(by)
      const read = Result.gen(function* () {
        yield* checkLengths(args)
        const plain = yield* tool.plain(args)
        return { plain, request: yield* tool.request(plain, state) }
      })
      if (Result.isFailure(read)) {
        const refusal = yield* refusalOf(key)
        return worded(Option.isSome(refusal) ? refusal.value : yield* errorResponse(read.failure, true, by))
      }
      const { plain, request } = read.success
      const response = yield* api.call(key, request, surface.resource).pipe(
        Effect.map(worded),
        Effect.catchTag("ApiCallError", ({ cause }) => unreachable(tool, request, cause))
      )
      const shorter = fitsTokens(response.text, MAX_RESULT_TOKENS) ? Option.none() : withHalfLimit(tool, plain)
      if (Option.isSome(shorter)) return yield* callApi(tool, shorter.value, key)
      return response.status >= 400 || tool.present === undefined
        ? response
        : JsonResponse.fromBody(response.status, tool.present(response.body, supportContact))
    }
  )

  const callTool: CallTool = (tool, args, key, state) =>
    callApi(tool, args, key, state).pipe(
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError(`The tool ${tool.name} failed on our side`, defect),
          Effect.map(errorResponse(new InternalError()), wordedFor(credentialKindOf(Redacted.value(key))))
        )
      ),
      Effect.withSpan("Mcp.callTool", { attributes: { "mcp.tool": tool.name } }, { captureStackTrace: false })
    )
  return callTool
})
