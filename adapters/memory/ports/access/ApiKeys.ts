// API keys, read from the books in memory. The time of their last use is kept apart: using a key changes no books.
import { Clock, Effect } from "effect"
import { type ApiKey, endOf, type FoundKey, formerText } from "#core/domain/access/ApiKey.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { rowsWhere, sorted } from "../../books/Rows.ts"

const asFound = (key: ApiKey | undefined, nowMs: Millis): FoundKey | null => {
  if (key === undefined) return null
  return key.expiresAtMs !== undefined && key.expiresAtMs <= nowMs ? { ...key, hasExpired: true } : key
}

export const layer = overBooks(ApiKeys, ({ current }) => {
  const lastUsed = new Map<KeyId, Millis>()

  return {
    byHash: (hash) =>
      Effect.map(Clock.currentTimeMillis, (nowMs) =>
        asFound(rowsWhere(current().keys, (key) => key.hash === hash || formerText(key, hash) !== undefined)[0], nowMs)
      ),
    expired: ({ limit }) =>
      Effect.map(Clock.currentTimeMillis, (nowMs) =>
        rowsWhere(current().keys, (key) => key.revokedAtMs === null && endOf(key, nowMs) === "expired")
          .slice(0, limit)
          .map(({ keyId }) => keyId)
      ),
    ofAccount: (accountId) =>
      sorted(
        rowsWhere(current().keys, (key) => key.accountId === accountId),
        { by: ({ keyId }) => [keyId] }
      ).map((key) => ({
        key,
        lastUsedAtMs: lastUsed.get(key.keyId) ?? null
      })),
    recordUse: (keyId, atMs) => void lastUsed.set(keyId, Math.max(atMs, lastUsed.get(keyId) ?? atMs))
  }
})
