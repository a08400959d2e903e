// Idempotency keys. A key is scoped to one API key and bound to one request body and the quote made from it.
import type { Millis } from "./DecisionContext.ts"

/** Lowercase hex SHA-256 of the canonical JSON of the validated body with its defaults filled in. */
export type Fingerprint = string

/** A response that is replayed byte for byte. */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

export interface Binding {
  readonly keyId: string
  readonly idempotencyKey: string
  readonly fingerprint: Fingerprint
  readonly quoteId: string
  /** `null` until the payment link is stored: until then the same request resumes the quote. */
  readonly response: StoredResponse | null
  readonly boundAtMs: Millis
}

export type KeyVerdict =
  | { readonly verdict: "fresh" }
  | { readonly verdict: "replay"; readonly response: StoredResponse; readonly quoteId: string }
  | { readonly verdict: "resume"; readonly quoteId: string }
  | { readonly verdict: "reused"; readonly quoteId: string }

export const judgeKey = (binding: Binding | undefined, fingerprint: Fingerprint): KeyVerdict => {
  if (binding === undefined) return { verdict: "fresh" }
  const { response, quoteId } = binding
  if (binding.fingerprint !== fingerprint) return { verdict: "reused", quoteId }
  return response === null ? { verdict: "resume", quoteId } : { verdict: "replay", response, quoteId }
}
