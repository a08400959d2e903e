// What an order is whose idempotency key is bound already: a replay of the quote, or a refusal because its body is another one.
import { Result } from "effect"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { type Fingerprint, judgeKey, type StoredResponse } from "#core/domain/ordering/Idempotency.ts"
import { IdempotencyKeyReused } from "#core/domain/ordering/OrderRefusal.ts"
import type { KeyId, QuoteId } from "#core/domain/shared/Ids.ts"
import { type Books, boundFor } from "../Books.ts"

export interface BoundRequest {
  readonly key: string
  readonly fingerprint: Fingerprint
}

interface Repeated {
  readonly quoteId: QuoteId
  /** The credential that placed the order, if it is not the caller. */
  readonly placedBy?: KeyId
}

export type RepeatedReply =
  | (Repeated & { readonly kind: "replay"; readonly response: StoredResponse })
  /** The idempotency key is bound to this request, but the payment link is not stored yet. */
  | (Repeated & { readonly kind: "resume" })
  /** The idempotency key is bound to this request, and its response is no longer kept. */
  | (Repeated & { readonly kind: "freed" })

/** `null`: the key is free, and the order is to be placed. */
export const judgeRepeat = (
  books: Books,
  caller: Caller,
  { key, fingerprint }: BoundRequest
): Result.Result<RepeatedReply | null, IdempotencyKeyReused> => {
  const binding = boundFor(books, caller, key)
  const verdict = judgeKey(binding, fingerprint)
  if (binding === undefined || verdict.verdict === "fresh") return Result.succeed(null)
  const { quoteId } = verdict
  const repeated = binding.keyId === caller.keyId ? { quoteId } : { quoteId, placedBy: binding.keyId }
  switch (verdict.verdict) {
    case "reused":
      return Result.fail(new IdempotencyKeyReused({ idempotencyKey: key, ...repeated }))
    case "replay":
      return Result.succeed({ kind: "replay", response: verdict.response, ...repeated })
    default:
      return Result.succeed({ kind: verdict.verdict, ...repeated })
  }
}
