// What the document says of operations that an idempotency key binds, besides orders.
import type { JsonObject, JsonValue } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { SECRET } from "../operations/BoundOperation.ts"
import { endpoints, isBound } from "../operations/OperationRequest.ts"

const names: ReadonlySet<unknown> = new Set(
  Object.values(endpoints).flatMap((endpoint) => (isBound(endpoint) ? [endpoint.identifier] : []))
)

export const isBoundOperation = (operationId: JsonValue | undefined): boolean => names.has(operationId)

export const IDEMPOTENCY_KEY: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "The same request under the same key takes effect once, and is answered alike, with `Idempotent-Replayed: true`. Bound for 24 hours to this key or connection, method and path; a refused request binds nothing.",
  schema: { type: "string", pattern: "^[!-~]{1,255}$", minLength: 1, maxLength: 255 }
}

/** Later replays of an answer omit its secret. */
export const withOptionalSecret = (schema: JsonObject): JsonObject => {
  const { required } = schema
  return Array.isArray(required) ? { ...schema, required: required.filter((name) => name !== SECRET) } : schema
}
