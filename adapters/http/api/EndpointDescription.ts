// The description of an endpoint: its scope, its texts for the documentation, and the error codes it can respond with.
import { Context, type Schema, SchemaAST } from "effect"
import { type HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import { errorBodyWithCodes } from "#adapters/contract/errors/ErrorBody.ts"
import { PUBLIC_ERRORS, type PublicErrorCode } from "#adapters/contract/errors/ErrorCode.ts"
import type { Scope } from "#core/domain/access/ApiKey.ts"
import { RequiredScope } from "./Access.ts"

/** Codes that every endpoint can respond with. */
const ALWAYS = [
  "missing_api_key",
  "invalid_api_key",
  "revoked_api_key",
  "expired_api_key",
  "insufficient_scope",
  "validation_failed",
  "rate_limited",
  "internal_error",
  "store_unavailable"
] as const

/** Further codes of an endpoint whose method allows a body, even if it takes none. */
export const BODY_ERRORS = ["invalid_json", "body_too_large", "unsupported_media_type"] as const

/** Further codes of an endpoint that an idempotency key binds: whatever is posted or patched. */
export const WRITE_ERRORS = [...BODY_ERRORS, "invalid_idempotency_key", "idempotency_key_reused"] as const

/** Further codes of an endpoint with an id in its path, which can be too long or malformed. */
export const PATH_ERRORS = ["route_not_found"] as const

type Always = (typeof ALWAYS)[number]

type FailureSchema<Code extends string> = ReturnType<typeof errorBodyWithCodes<ReadonlyArray<Code>>>

/** One error schema per status, each with exactly the codes that the endpoint responds with. */
export const errorsOf = <const Codes extends ReadonlyArray<PublicErrorCode>>(
  ...codes: Codes
): ReadonlyArray<FailureSchema<Codes[number] | Always>> => {
  const all: ReadonlyArray<Codes[number] | Always> = [...new Set([...ALWAYS, ...codes])]
  const byStatus = Map.groupBy(all, (code) => PUBLIC_ERRORS[code].status)
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, some]) =>
      errorBodyWithCodes<ReadonlyArray<Codes[number] | Always>>(some).pipe(HttpApiSchema.status(status))
    )
}

/** Annotations of an endpoint. `sentences` are for an agent that chooses a call. */
export const describe = (scope: Scope, summary: string, ...sentences: ReadonlyArray<string>): Context.Context<never> =>
  OpenApi.annotations({ summary, description: [...sentences, `Scope: \`${scope}\`.`].join(" ") }).pipe(
    Context.add(RequiredScope, scope)
  )

/** Whether every member of the endpoint's body may be left out, and so the body itself: not where a check wants one of them. */
export const hasOptionalBody = ({ payload }: HttpApiEndpoint.Top): boolean => {
  const ast = payload.values().next().value?.schemas[0].ast
  return (
    ast !== undefined &&
    SchemaAST.isObjects(ast) &&
    ast.checks === undefined &&
    ast.propertySignatures.every(({ type }) => SchemaAST.isOptional(type))
  )
}

/** A success that is not 200. */
export const created = <S extends Schema.Top>(schema: S) => schema.pipe(HttpApiSchema.status(201))
export const accepted = <S extends Schema.Top>(schema: S) => schema.pipe(HttpApiSchema.status(202))
