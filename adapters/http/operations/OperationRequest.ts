// A request for an operation before it is decoded, without a transport: what HTTP would carry in path, query, body and header.
import type { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { Api } from "../api/Api.ts"

type Groups = typeof Api.groups

/** The name of an endpoint, which is unique among all groups. */
export type OperationName = { readonly [Id in keyof Groups]: keyof Groups[Id]["endpoints"] }[keyof Groups]

export interface OperationRequest {
  readonly operation: OperationName
  /** Fills `:id` in the endpoint's path. */
  readonly id?: string
  /** Fill the other parameters of the path, by their names. */
  readonly params?: Readonly<Record<string, string>>
  /** Parameters of the query, as text; a list for one that is given more than once. */
  readonly query: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** JSON. */
  readonly payload?: unknown
  /** The `Idempotency-Key` header, checked already. */
  readonly idempotencyKey?: string
  /** The `Replay-Unkeyed` header: `true`, or the id of the quote that the order continues with. */
  readonly replayUnkeyed?: string
}

/** The schema of an endpoint's success. */
export const successOf = ({ identifier, success: [schema] }: { identifier: string; success: Iterable<Schema.Top> }) => {
  if (schema === undefined) throw new Error(`${identifier} has no success schema.`)
  return schema
}

/** The schema of the endpoint's JSON body. */
export const payloadOf = ({ payload }: HttpApiEndpoint.Top) => payload.values().next().value?.schemas[0]

export const endpoints: Readonly<Record<OperationName, HttpApiEndpoint.Top>> = Object.assign(
  {},
  ...Object.values(Api.groups).map((group) => group.endpoints)
)

/** The parameters of the endpoint's path. */
export const paramsOf = ({ id, params }: OperationRequest): Readonly<Record<string, string | undefined>> => ({
  id,
  ...params
})
/**
 * Whether an `Idempotency-Key` binds the operation to its answer for a day: whatever is posted or patched, but for orders, which are bound by
 * their quotes. On DELETE it is ignored.
 */
export const isBound = ({ identifier, method }: HttpApiEndpoint.Top): boolean =>
  (method === "POST" || method === "PATCH") && identifier !== "createOrder"

/** The headers of a request, beside that of the key. */
export const headersOf = ({ idempotencyKey, replayUnkeyed }: OperationRequest): Record<string, string> => ({
  ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  ...(replayUnkeyed === undefined ? {} : { "replay-unkeyed": replayUnkeyed })
})
