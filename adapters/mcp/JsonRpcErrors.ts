// JSON-RPC error responses to what is not a message.
import { ProtocolErrorCode } from "@modelcontextprotocol/server"
import { Predicate } from "effect"
import type { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"

/** Not JSON, so there is no id to respond to. The API's error body is the data. */
export const parseErrorResponse = (body: ErrorBody) => ({
  jsonrpc: "2.0",
  id: null,
  error: { code: ProtocolErrorCode.ParseError, message: body.error.message, data: body }
})

/** JSON, but not a message. The response carries its id, if it has one. */
export const invalidRequestResponse = (value: unknown) => {
  const id = Predicate.hasProperty(value, "id") ? value.id : null
  return {
    jsonrpc: "2.0",
    id: typeof id === "string" || typeof id === "number" ? id : null,
    error: { code: ProtocolErrorCode.InvalidRequest, message: "The line is not one valid JSON-RPC message." }
  }
}
