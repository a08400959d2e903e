// The one table from failures to error bodies (contract §2), total by type: a refusal without an entry does not compile.
import { Match } from "effect"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { AdapterFailure } from "./AdapterFailure.ts"
import type { ErrorBody } from "./ErrorBody.ts"
import { policyOf } from "./ErrorCode.ts"
import type { Explains, Explanation } from "./Explanation.ts"
import { adapterFailures, type Fault, faults, operatorRefusals } from "./OtherFailures.ts"
import { accessRefusals } from "./RefusalsOfAccess.ts"
import { catalogueRefusals } from "./RefusalsOfCatalogue.ts"
import { orderRefusals } from "./RefusalsOfOrders.ts"

/** Everything a request can be answered with instead of what it asked for. */
export type Failure = Refusal | Fault | AdapterFailure

const TABLE: Explains<Failure> = {
  ...orderRefusals,
  ...catalogueRefusals,
  ...accessRefusals,
  ...operatorRefusals,
  ...faults,
  ...adapterFailures
}

export const explain: (failure: Failure) => Explanation = Match.typeTags<Failure>()(TABLE)

export interface ErrorAnswer {
  readonly status: number
  readonly body: ErrorBody
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
}

export const toErrorBody = (failure: Failure, requestId: string): ErrorAnswer => {
  const { code, message, suggestion, param, details, errors, headers = {}, ...override } = explain(failure)
  const { recovery, retryable, ...policy } = policyOf(code)
  const status = override.status ?? policy.status
  return {
    status,
    headers,
    body: {
      ok: false,
      error: {
        code,
        message,
        status,
        ...(param === undefined ? {} : { param }),
        ...(details === undefined ? {} : { details }),
        ...(errors === undefined ? {} : { errors }),
        retryable,
        recovery,
        ...(suggestion === undefined ? {} : { suggestion })
      },
      request_id: requestId
    }
  }
}
