// A response with a JSON body before any transport: what an operation returns, and what a tool's result is made from.
import { Effect } from "effect"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { countedErrorResponse } from "#adapters/contract/errors/RefusalCounters.ts"
import { CurrentRequestId } from "../RequestId.ts"

/** A JSON object. */
export type JsonBody = Readonly<Record<string, unknown>>

export class JsonResponse {
  readonly status: number
  /** The body's JSON text. Stored responses keep theirs to the byte. */
  readonly text: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  #body: JsonBody | undefined

  private constructor(
    status: number,
    text: string,
    body: JsonBody | undefined,
    headers: Readonly<Record<string, string>>
  ) {
    this.status = status
    this.text = text
    this.#body = body
    this.headers = headers
  }

  static fromBody(status: number, body: JsonBody, headers: Readonly<Record<string, string>> = {}): JsonResponse {
    return new JsonResponse(status, JSON.stringify(body), body, headers)
  }

  /** `text` must be a JSON object. */
  static fromText(status: number, text: string, headers: Readonly<Record<string, string>> = {}): JsonResponse {
    return new JsonResponse(status, text, undefined, headers)
  }

  /** The value of `text`, parsed at most once. */
  get body(): JsonBody {
    const body: JsonBody = this.#body ?? JSON.parse(this.text)
    this.#body = body
    return body
  }
}

/** Counts the failure and builds its response with the id of the current request. */
export const errorResponse = (failure: Failure): Effect.Effect<JsonResponse> =>
  Effect.flatMap(CurrentRequestId, (requestId) => countedErrorResponse(failure, requestId)).pipe(
    Effect.map(({ status, body, headers }) => JsonResponse.fromBody(status, body, headers))
  )
