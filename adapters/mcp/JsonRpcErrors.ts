// What JSON-RPC answers where there is no message to answer: nothing of it could be read, so the answer goes by no id.
import { ProtocolErrorCode } from "@modelcontextprotocol/server"
import type { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"

/** JSON-RPC has its own word for what is not JSON; ours goes along. */
export const parseErrorResponse = (body: ErrorBody) => ({
  jsonrpc: "2.0",
  id: null,
  error: { code: ProtocolErrorCode.ParseError, message: body.error.message, data: body }
})
