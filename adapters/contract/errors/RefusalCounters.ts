// Counters of error responses by code, on every plane. All are created in advance, so that a request can never add a label.
import { type Context, Effect, Metric } from "effect"
import type { CredentialKind } from "./CredentialNouns.ts"
import { type ErrorCode, errorCodes } from "./ErrorCode.ts"
import { type Failure, toErrorResponse } from "./ErrorTable.ts"

const counterOf = (code: ErrorCode): Metric.Counter<number> =>
  Metric.counter("backlinks_refusals_total", {
    description: "Error responses, by error code.",
    attributes: { code },
    incremental: true
  })

const counters: ReadonlyMap<string, Metric.Counter<number>> = new Map(
  errorCodes.map((code) => [code, counterOf(code)] as const)
)

/** Counts into the metrics registry of this context. */
export const countRefusal = (code: string, context: Context.Context<never>): void =>
  counters.get(code)?.updateUnsafe(1, context)

/** The response to a failure, counted. */
export const countedErrorResponse = (failure: Failure, requestId: string, isRepeatable = true, by?: CredentialKind) =>
  Effect.contextWith((context: Context.Context<never>) => {
    const response = toErrorResponse(failure, requestId, isRepeatable, by)
    countRefusal(response.body.error.code, context)
    return Effect.succeed(response)
  })

export const refusalCounters: ReadonlyArray<Metric.Counter<number>> = [...counters.values()]
