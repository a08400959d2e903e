// Whether a request may be sent again as it is: not an order that no idempotency key binds, which would be a second one. Server errors say it
// in `retryable`, whatever their cause: a client cannot tell which of them wrote something.
import type { OperationName } from "./OperationRequest.ts"

/** A dry run writes nothing, so that it may be sent again. */
export const isDryRun = (payload: unknown): boolean =>
  typeof payload === "object" && payload !== null && "dry_run" in payload && payload.dry_run === true

export const isRepeatable = ({
  operation,
  idempotencyKey,
  payload
}: {
  readonly operation: OperationName
  readonly idempotencyKey?: string | undefined
  /** The body, where it has been read. */
  readonly payload?: unknown
}): boolean => operation !== "createOrder" || idempotencyKey !== undefined || isDryRun(payload)
