// Failures outside the core: malformed or oversized requests, unknown routes, rates, credentials of other planes, defects.
import { Data } from "effect"
import type { OperatorRole } from "#core/domain/members/Actor.ts"
import type { FieldError } from "./ErrorBody.ts"

export class InvalidJson extends Data.TaggedError("InvalidJson")<{
  /** The parser's message; it repeats at most the name of a field, truncated. */
  readonly reason: string
  readonly offset?: number
}> {}

export class InvalidIdempotencyKey extends Data.TaggedError("InvalidIdempotencyKey") {}

/** The API behind a standalone MCP server gave no valid response; whether it executed the request is unknown. */
export class ApiUnreachable extends Data.TaggedError("ApiUnreachable")<{ readonly retryAfterSeconds: number }> {}

/** No key where keys are read, but one in another place. */
export class MisplacedApiKey extends Data.TaggedError("MisplacedApiKey")<{
  /** Such as `the header X-API-Key`. */
  readonly place: string
  /** The key, masked; `null` if it does not have the form of one. */
  readonly shown: string | null
}> {}

/** Two different keys in one request. */
export class ConflictingCredentials extends Data.TaggedError("ConflictingCredentials") {}

/** A browser request to MCP from an origin that is not allowed. */
export class OriginNotAllowed extends Data.TaggedError("OriginNotAllowed") {}

export class RouteNotFound extends Data.TaggedError("RouteNotFound") {}

export class MethodNotAllowed extends Data.TaggedError("MethodNotAllowed")<{
  readonly allowed: ReadonlyArray<string>
}> {}

export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{ readonly limitBytes: number }> {}

export class UnsupportedMediaType extends Data.TaggedError("UnsupportedMediaType") {}

/** Fields, parameters or combinations that a schema rejects. */
export class ValidationFailed extends Data.TaggedError("ValidationFailed")<{
  readonly errors: readonly [FieldError, ...Array<FieldError>]
}> {}

export class RateLimited extends Data.TaggedError("RateLimited")<{
  readonly kind: "read" | "order"
  readonly limit: number
  readonly retryAfterSeconds: number
  readonly resetsAtMs: number
}> {}

export class InternalError extends Data.TaggedError("InternalError") {}

/** Invalid HTTP, a head too long or too slow, or an unsupported `Expect`; found before routing. */
export class MalformedRequest extends Data.TaggedError("MalformedRequest")<{
  readonly status: 400 | 408 | 417 | 431
}> {}

/** A payment notice whose signature is missing, wrong or too old. */
export class InvalidSignature extends Data.TaggedError("InvalidSignature") {}

/** A scrape without the metrics token, or with another one. */
export class MissingMetricsToken extends Data.TaggedError("MissingMetricsToken") {}

export class InvalidMetricsToken extends Data.TaggedError("InvalidMetricsToken") {}

export class MissingOperatorToken extends Data.TaggedError("MissingOperatorToken") {}

export class InvalidOperatorToken extends Data.TaggedError("InvalidOperatorToken") {}

/** The operator's token does not have the role that the call requires. */
export class InsufficientRole extends Data.TaggedError("InsufficientRole")<{
  readonly call: string
  readonly required: OperatorRole
  readonly held: OperatorRole
}> {}

export type AdapterFailure =
  | ApiUnreachable
  | BodyTooLarge
  | ConflictingCredentials
  | InsufficientRole
  | InternalError
  | InvalidIdempotencyKey
  | InvalidJson
  | InvalidMetricsToken
  | InvalidOperatorToken
  | InvalidSignature
  | MalformedRequest
  | MethodNotAllowed
  | MisplacedApiKey
  | MissingMetricsToken
  | MissingOperatorToken
  | OriginNotAllowed
  | RateLimited
  | RouteNotFound
  | UnsupportedMediaType
  | ValidationFailed
