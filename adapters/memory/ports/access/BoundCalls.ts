// Calls that idempotency keys bind, in memory.
import { Clock, Effect } from "effect"
import { type BoundCall, isAnswered, isUnbound, keepsSecret } from "#core/domain/access/BoundCall.ts"
import { BoundCalls } from "#core/ports/access/BoundCalls.ts"
import { overBooks } from "../../books/OverBooks.ts"

export const layer = overBooks(BoundCalls, () => {
  const calls = new Map<string, BoundCall>()

  const keepUnless = (call: BoundCall, stays: (kept: BoundCall) => boolean): BoundCall => {
    const kept = calls.get(call.callHash)
    if (kept !== undefined && !isUnbound(kept, call.boundAtMs) && stays(kept)) return kept
    calls.set(call.callHash, call)
    return call
  }

  return {
    bind: (call) => keepUnless(call, () => true),
    answer: (call) => keepUnless(call, isAnswered),
    release: (callHash) => {
      const kept = calls.get(callHash)
      if (kept !== undefined && !isAnswered(kept)) calls.delete(callHash)
    },
    prune: Effect.map(Clock.currentTimeMillis, (nowMs) => {
      for (const [callHash, call] of calls) {
        if (isUnbound(call, nowMs)) calls.delete(callHash)
        else if (isAnswered(call) && !keepsSecret(call, nowMs)) calls.set(callHash, { ...call, sealed: null })
      }
    })
  }
})
