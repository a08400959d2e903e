// How often which error code was answered, on every plane: one counter for each code there is, made beforehand, so that no
// request can make up a label.
import { type Context, Effect, Metric } from "effect"
import { type ErrorCode, errorCodes } from "./ErrorCode.ts"
import { type Failure, toErrorResponse } from "./ErrorTable.ts"

const counterOf = (code: ErrorCode): Metric.Counter<number> =>
  Metric.counter("backlinks_refusals_total", {
    description: "Answers with an error code of the contract.",
    attributes: { code },
    incremental: true
  })

const counters: ReadonlyMap<string, Metric.Counter<number>> = new Map(
  errorCodes.map((code) => [code, counterOf(code)] as const)
)

/** Into the registry of this context. */
export const countRefusal = (code: string, context: Context.Context<never>): void =>
  counters.get(code)?.updateUnsafe(1, context)

/** What a failure is answered with, and counted as. */
export const countedErrorResponse = (failure: Failure, requestId: string) =>
  Effect.contextWith((context: Context.Context<never>) => {
    const answer = toErrorResponse(failure, requestId)
    countRefusal(answer.body.error.code, context)
    return Effect.succeed(answer)
  })

export const refusalCounters: ReadonlyArray<Metric.Counter<number>> = [...counters.values()]
