// API keys, read from the books in memory. The time of their last use is kept apart: using a key changes no books.
import { formerText } from "#core/domain/access/ApiKey.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { rowsWhere, sorted } from "../../books/Rows.ts"

export const layer = overBooks(ApiKeys, ({ current }) => {
  const lastUsed = new Map<KeyId, Millis>()

  return {
    byHash: (hash) =>
      rowsWhere(current().keys, (key) => key.hash === hash || formerText(key, hash) !== undefined)[0] ?? null,
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
