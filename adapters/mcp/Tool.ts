// What a tool is: its words, its schemas, and the one REST call that it relays. Owns no tool.
import { Result, type Schema } from "effect"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { API_PREFIX, type ApiRequest } from "./OrderingApi.ts"
import { type Arguments, fillPath, noTexts, textReader } from "./Arguments.ts"
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
  readonly request: (args: Arguments) => Result.Result<ApiRequest, Failure>
  /** For a tool that answers pages: how many entries one has, unless `limit` says otherwise. */
  readonly pageSize?: number
  /** What becomes of the text of a good answer; left out where the answer is passed on as it is. */
  readonly present?: (text: string) => string
}

/** A call that changes nothing, in the closed world of this shop. */
const READ_ONLY: Annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

export interface ReadToolOptions {
  readonly name: string
  readonly title: string
  /** Sentences. */
  readonly description: ReadonlyArray<string>
  /** Left out by a tool that takes no arguments. */
  readonly input?: Schema.ConstraintDecoder<unknown>
  readonly output: Schema.Constraint
  /** `/catalog/:site_id`: arguments that it does not name become the query. */
  readonly path: string
  /** Another path, for some arguments. */
  readonly pathFor?: (args: Arguments) => string
  readonly pageSize?: number
  readonly present?: (text: string) => string
}

/** `GET /api/v1/agent/catalog/{site_id}` */
export const routeOf = (method: ApiRequest["method"], path: string): string =>
  `${method} ${API_PREFIX}${path.replace(/:(\w+)/g, "{$1}")}`

/** A tool that reads: its arguments are the path and the query of a GET. */
export const readTool = ({ input, output, path, pathFor = () => path, description, ...rest }: ReadToolOptions): Tool => {
  const shown = input === undefined ? noInput : inputSchema(input)
  const read = input === undefined ? noTexts : textReader(input, shown, !path.includes(":"))
  return {
    ...rest,
    description: description.join(" "),
    annotations: READ_ONLY,
    inputSchema: shown,
    outputSchema: outputSchema(output),
    route: routeOf("GET", path),
    request: (args) =>
      read(args).pipe(
        Result.flatMap((texts) => fillPath(pathFor(texts), texts)),
        Result.map((filled) => ({ method: "GET", path: filled }))
      )
  }
}
