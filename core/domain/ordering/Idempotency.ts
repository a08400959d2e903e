// Idempotency keys. A key belongs to an account and mode, and is bound to one request body and the quote made from it. Keys that the
// service makes itself belong to one credential.
import { Schema } from "effect"
import { isWebCredential } from "../access/WebCredential.ts"
import { Millis, Mode } from "../shared/DecisionContext.ts"
import { AccountId, KeyId, QuoteId } from "../shared/Ids.ts"
import { hasExpired, type Quote } from "./Quote.ts"

/** Lowercase hex SHA-256 of the canonical JSON of the validated body with its defaults filled in. */
export type Fingerprint = string

/** A response that is replayed byte for byte. */
export const StoredResponse = Schema.Struct({
  status: Schema.Int,
  body: Schema.String
})
export type StoredResponse = typeof StoredResponse.Type

/** `null`: of the credential alone. */
export const BoundScope = Schema.NullOr(Schema.Literal("account"))
export type BoundScope = typeof BoundScope.Type

export const Binding = Schema.Struct({
  /** The credential whose order bound the idempotency key. */
  keyId: KeyId,
  accountId: AccountId,
  mode: Mode,
  boundScope: BoundScope,
  idempotencyKey: Schema.String,
  fingerprint: Schema.String,
  quoteId: QuoteId,
  /** `null` until the payment link is stored: until then the same request resumes the quote. */
  response: Schema.NullOr(StoredResponse),
  boundAtMs: Millis,
  /** When the response was freed by retention; it is `null` since. */
  freedAtMs: Schema.optionalKey(Millis)
})
export type Binding = typeof Binding.Type

export type KeyVerdict =
  | { readonly verdict: "fresh" }
  | { readonly verdict: "replay"; readonly response: StoredResponse; readonly quoteId: QuoteId }
  | { readonly verdict: "resume"; readonly quoteId: QuoteId }
  /** A replay whose response is no longer kept. */
  | { readonly verdict: "freed"; readonly quoteId: QuoteId }
  | { readonly verdict: "reused"; readonly quoteId: QuoteId }

export const judgeKey = (binding: Binding | undefined, fingerprint: Fingerprint): KeyVerdict => {
  if (binding === undefined) return { verdict: "fresh" }
  const { response, quoteId, freedAtMs } = binding
  if (binding.fingerprint !== fingerprint) return { verdict: "reused", quoteId }
  if (freedAtMs !== undefined) return { verdict: "freed", quoteId }
  return response === null ? { verdict: "resume", quoteId } : { verdict: "replay", response, quoteId }
}

/** How long a repeat of an order without an idempotency key is a replay of it, for callers that ask for that. */
export const UNKEYED_REPLAY_MS = 10 * 60_000

const UNKEYED = "unkeyed "
const SEQUENCE_DIGITS = 9

/**
 * What the keys of equal orders without an idempotency key begin with; a sequence number of fixed length follows, so that the latest
 * sorts last. No caller can send such a key, because it has spaces.
 */
export const unkeyedPrefix = (fingerprint: Fingerprint): string => `${UNKEYED}${fingerprint} `

/**
 * What an order binds its key in. Its account and mode, so that an agent whose key was replaced does not buy again; but a key that the
 * service makes, for an order without one or for a cart of the Shop, stands for a request of that credential.
 */
export const boundScopeOf = (keyId: KeyId, idempotencyKey: string): BoundScope =>
  idempotencyKey.startsWith(UNKEYED) || isWebCredential(keyId) ? null : "account"

/** Whether it is the key of such an order. */
export const isUnkeyed = (idempotencyKey: string | null, fingerprint: Fingerprint): boolean =>
  idempotencyKey?.startsWith(unkeyedPrefix(fingerprint)) ?? false

/** The key of the `nth` of equal orders without one, counted from 1. */
export const unkeyedKey = (fingerprint: Fingerprint, nth: number): string =>
  `${unkeyedPrefix(fingerprint)}${String(nth).padStart(SEQUENCE_DIGITS, "0")}`

type Repeatable = Pick<Quote, "idempotencyKey" | "status" | "createdAtMs" | "expiresAtMs" | "paymentPendingAtMs">

const isRepeatable = (quote: Repeatable, nowMs: Millis): boolean =>
  quote.status !== "abandoned" && !hasExpired(quote, nowMs) && nowMs - quote.createdAtMs < UNKEYED_REPLAY_MS

/**
 * The key that an order without one is placed under: that of `latest`, the latest equal order, while it is to be replayed, and the next
 * one otherwise. Concurrent repeats that saw the same latest order get the same key, so that only one of them is placed.
 */
export const keyOfUnkeyed = (fingerprint: Fingerprint, latest: Repeatable | null, nowMs: Millis): string => {
  if (latest?.idempotencyKey == null) return unkeyedKey(fingerprint, 1)
  if (isRepeatable(latest, nowMs)) return latest.idempotencyKey
  return unkeyedKey(fingerprint, Number(latest.idempotencyKey.slice(unkeyedPrefix(fingerprint).length)) + 1)
}
