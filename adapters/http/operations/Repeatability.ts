// Whether the current request may be sent again as it is: not an order that no idempotency key binds, which would be a second one.
import { Context, Effect } from "effect"
import type { OperationRequest } from "./OperationRequest.ts"

/** Server errors say it in `retryable`, whatever their cause: a client cannot tell which of them wrote something. */
export const IsRepeatable = Context.Reference<boolean>("backlinks/adapters/http/operations/Repeatability", {
  defaultValue: () => true
})

const isDryRun = (payload: unknown): boolean =>
  typeof payload === "object" && payload !== null && "dry_run" in payload && payload.dry_run === true

/** A dry run writes nothing, so that it may be sent again. */
export const repeatableIfDryRun =
  ({ payload }: { readonly payload?: unknown }) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    isDryRun(payload) ? Effect.provideService(call, IsRepeatable, true) : call

export const unrepeatableWithoutKey =
  ({ operation, idempotencyKey }: OperationRequest) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    operation === "createOrder" && idempotencyKey === undefined
      ? Effect.provideService(call, IsRepeatable, false)
      : call
