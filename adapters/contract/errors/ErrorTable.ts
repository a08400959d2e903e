// The table from failures to error responses, total by type: a failure without an entry does not compile.
import type { Refusal } from "#core/domain/Refusal.ts"
import { accessRefusals } from "./AccessErrors.ts"
import { adapterFailures, type ServiceFault, serviceFaults } from "./AdapterErrors.ts"
import type { AdapterFailure } from "./AdapterFailure.ts"
import { catalogueRefusals } from "./CatalogueErrors.ts"
import { changeRefusals } from "./ChangeErrors.ts"
import type { CredentialKind } from "./CredentialNouns.ts"
import type { ErrorBody } from "./ErrorBody.ts"
import { policyOf } from "./ErrorCode.ts"
import type { ErrorText, ErrorTexts } from "./ErrorText.ts"
import { memberRefusals } from "./MemberErrors.ts"
import { operatorRefusals } from "./OperatorErrors.ts"
import { orderRefusals } from "./OrderErrors.ts"

/** Every reason for an error response. */
export type Failure = Refusal | ServiceFault | AdapterFailure

const TABLE: ErrorTexts<Failure> = {
  ...orderRefusals,
  ...changeRefusals,
  ...catalogueRefusals,
  ...accessRefusals,
  ...operatorRefusals,
  ...memberRefusals,
  ...serviceFaults,
  ...adapterFailures
}

/** An entry takes only failures with its tag, which the type of a look-up does not say. */
const entryOf = ({ _tag }: Failure) => TABLE[_tag] as (failure: Failure, by: CredentialKind) => ErrorText

export const errorTextOf = (failure: Failure, by: CredentialKind = "key"): ErrorText => entryOf(failure)(failure, by)

export interface ErrorResponse {
  readonly status: number
  readonly body: ErrorBody
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
}

/** What a server error says to a request that may not be sent again as it is: add an idempotency key. */
const UNREPEATABLE = { retryable: false, recovery: "correct" } as const

/** `isRepeatable`: whether the same request, sent again after a server error, is still the same and not a second one. `by`: what the caller presented. */
export const toErrorResponse = (
  failure: Failure,
  requestId: string,
  isRepeatable = true,
  by: CredentialKind = "key"
): ErrorResponse => {
  const { code, message, suggestion, param, details, errors, headers = {}, ...override } = errorTextOf(failure, by)
  const policy = { ...policyOf(code), ...override }
  const { status, retryable, recovery } = isRepeatable || policy.status < 500 ? policy : { ...policy, ...UNREPEATABLE }
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
