// What a tool is: its words, its schemas, and the one REST call that it relays. Owns no tool.
import { Result, type Schema } from "effect"
import { ValidationFailed } from "#adapters/contract/errors/AdapterFailure.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import type { JsonBody } from "#adapters/http/operations/JsonResponse.ts"
import { endpoints, type OperationName, type OperationRequest } from "#adapters/http/operations/OperationRequest.ts"
import { type Arguments, noTexts, type Texts, textReader } from "./Arguments.ts"
import { inputSchema, noInput, type ObjectSchema, outputSchema } from "./ToolSchema.ts"

/** Hints for the client, such as whether to ask the user before a call. */
export interface Annotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export interface Tool {
  readonly name: string
  /** For people. */
  readonly title: string
  /** For a model: what it does, when to use it, what it costs, what to tell the user. */
  readonly description: string
  readonly annotations: Annotations
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  /** The REST route it relays, as documentation writes it. */
  readonly route: string
  readonly request: (args: Arguments) => Result.Result<OperationRequest, Failure>
  /** For a tool that answers pages: how many entries one has, unless `limit` says otherwise. */
  readonly pageSize?: number
  /** Makes the result from the body of a success; without it, the result is that body. */
  readonly present?: (body: JsonBody) => JsonBody
}

/** A call that changes nothing, in the closed world of this shop. */
const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false
}

export interface ReadToolOptions {
  readonly name: string
  readonly title: string
  /** Sentences. */
  readonly description: ReadonlyArray<string>
  /** Left out by a tool that takes no arguments. */
  readonly input?: Schema.ConstraintDecoder<unknown>
  readonly output: Schema.Constraint
  readonly operation: OperationName
  /** The argument that is the id in the operation's path; the others become the query. */
  readonly idArgument?: string
  /** Called instead when that argument is absent. */
  readonly withoutId?: OperationName
  readonly pageSize?: number
  readonly present?: (body: JsonBody) => JsonBody
}

/** `GET /api/v1/agent/catalog/{site_id}` */
export const routeOf = (operation: OperationName, idArgument = ""): string => {
  const { method, path } = endpoints[operation]
  return `${method} ${path.replace(":id", `{${idArgument}}`)}`
}

/** What a URL parser reads as "this folder" or "the one above". */
const DOT_SEGMENT = /^\.{1,2}$/

/** A tool that reads: its arguments are the path's id and the query of a GET. */
export const readTool = (options: ReadToolOptions): Tool => {
  const { input, output, operation, idArgument, withoutId = operation, description, ...rest } = options
  const shown = input === undefined ? noInput : inputSchema(input)
  const read = input === undefined ? noTexts : textReader(input, shown, idArgument === undefined)
  const toRequest = (texts: Texts): Result.Result<OperationRequest, ValidationFailed> => {
    if (idArgument === undefined) return Result.succeed({ operation, query: texts })
    const { [idArgument]: id, ...query } = texts
    if (id === undefined) return Result.succeed({ operation: withoutId, query })
    return DOT_SEGMENT.test(id)
      ? Result.fail(new ValidationFailed({ errors: [{ path: idArgument, message: "Is not an id of this service." }] }))
      : Result.succeed({ operation, id, query })
  }
  return {
    ...rest,
    description: description.join(" "),
    annotations: READ_ONLY,
    inputSchema: shown,
    outputSchema: outputSchema(output),
    route: routeOf(operation, idArgument),
    request: (args) => Result.flatMap(read(args), toRequest)
  }
}
