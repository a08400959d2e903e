// A response with a JSON body before any transport: what an operation returns, and what a tool's result is made from.
import { Data, Effect, type Stream } from "effect"
import type { CredentialKind } from "#adapters/contract/errors/CredentialNouns.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { countedErrorResponse } from "#adapters/contract/errors/RefusalCounters.ts"
import { CurrentRequestId } from "../server/RequestId.ts"

/** A JSON object. */
export type JsonBody = Readonly<Record<string, unknown>>

export class JsonResponse extends Data.Class<{
  readonly status: number
  /** The JSON text of the body. Stored responses keep theirs to the byte. */
  readonly text: string
  /** The value of `text`, where it is known already. */
  readonly parsed?: JsonBody
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
}> {
  static fromBody(status: number, body: JsonBody, headers: Readonly<Record<string, string>> = {}): JsonResponse {
    return new JsonResponse({ status, text: JSON.stringify(body), parsed: body, headers })
  }

  get body(): JsonBody {
    return this.parsed ?? JSON.parse(this.text)
  }
}

/** The header of an answer that was given before, to the same request. */
export const REPLAYED = { "idempotent-replayed": "true" }

/** A response that is not JSON, such as a PDF. A list is sent as it is read. */
export class BytesResponse extends Data.Class<{
  readonly status: number
  readonly content: Uint8Array | Stream.Stream<string, Failure>
  readonly contentType: string
  /** Letters, digits, dots and hyphens. */
  readonly fileName: string
}> {}

/** Counts the failure and builds its response with the id of the current request. `isRepeatable` and `by` as in `toErrorResponse`. */
export const errorResponse = (
  failure: Failure,
  isRepeatable = true,
  by?: CredentialKind
): Effect.Effect<JsonResponse> =>
  Effect.flatMap(CurrentRequestId, (requestId) =>
    Effect.map(countedErrorResponse(failure, requestId, isRepeatable, by), ({ status, body, headers }) =>
      JsonResponse.fromBody(status, body, headers)
    )
  )
