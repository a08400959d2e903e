// What an idempotency key stands for. A key belongs to one API key and is bound, with the quote, to one request body.
import type { Millis } from "./DecisionContext.ts"

/** Lowercase hex SHA-256 of the canonical JSON of the whole validated, default-filled body. */
export type Fingerprint = string

/** The answer as it left, to the byte. */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

export interface Binding {
  readonly keyId: string
  readonly idempotencyKey: string
  readonly fingerprint: Fingerprint
  readonly quoteId: string
  /** `null` while the payment link is not stored yet: the same request then resumes the quote. */
  readonly response: StoredResponse | null
  readonly boundAtMs: Millis
}

export type Verdict =
  | { readonly verdict: "fresh" }
  | { readonly verdict: "replay"; readonly response: StoredResponse; readonly quoteId: string }
  | { readonly verdict: "resume"; readonly quoteId: string }
  | { readonly verdict: "reused"; readonly quoteId: string }

export const judge = (binding: Binding | undefined, fingerprint: Fingerprint): Verdict => {
  if (binding === undefined) return { verdict: "fresh" }
  const { response, quoteId } = binding
  if (binding.fingerprint !== fingerprint) return { verdict: "reused", quoteId }
  return response === null ? { verdict: "resume", quoteId } : { verdict: "replay", response, quoteId }
}
