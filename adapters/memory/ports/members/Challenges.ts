// Challenges, one-time codes and secrets that are shown once, in memory.
import { Clock, Effect } from "effect"
import { type Challenge, MAX_CHALLENGES, type ResetCode, type ShownOnce } from "#core/domain/members/Factor.ts"
import { Challenges, type ShownId } from "#core/ports/members/Challenges.ts"
import { overBooks } from "../../books/OverBooks.ts"

export const layer = overBooks(Challenges, () => {
  /** In the order in which they were kept. */
  const challenges = new Map<string, Challenge>()
  const codes = new Map<string, ResetCode>()
  const shown = new Map<string, ShownOnce>()
  const heldBy = ({ shownId, holder }: ShownId): ShownOnce | undefined => {
    const secret = shown.get(shownId)
    return secret?.holder === holder ? secret : undefined
  }

  return {
    keep: (kept) => {
      challenges.set(kept.challenge, kept)
      const own = [...challenges.values()].filter(({ holder }) => holder === kept.holder)
      for (const { challenge } of own.slice(0, -MAX_CHALLENGES)) challenges.delete(challenge)
    },
    take: (challenge, atMs) => {
      const kept = challenges.get(challenge)
      if (kept === undefined || kept.expiresAtMs <= atMs) return null
      challenges.delete(challenge)
      return kept
    },
    spend: (spent) => {
      const isFirst = !challenges.has(spent.challenge)
      if (isFirst) challenges.set(spent.challenge, spent)
      return isFirst
    },
    keepCode: (code) => void codes.set(code.memberId, code),
    useCode: (memberId, hash, atMs) => {
      const code = codes.get(memberId)
      return code !== undefined && code.hash === hash && atMs < code.expiresAtMs && codes.delete(memberId)
    },
    keepShown: (secret) => {
      const isNew = !shown.has(secret.shownId)
      if (isNew) shown.set(secret.shownId, secret)
      return isNew
    },
    replaceShown: (secret) => {
      if ((shown.get(secret.shownId) ?? secret).holder === secret.holder) shown.set(secret.shownId, secret)
    },
    shown: (of, atMs) => {
      const secret = heldBy(of)
      return secret === undefined || secret.expiresAtMs <= atMs ? null : secret
    },
    endShown: (of) => {
      if (heldBy(of) !== undefined) shown.delete(of.shownId)
    },
    prune: Effect.map(Clock.currentTimeMillis, (nowMs) => {
      for (const { shownId, expiresAtMs } of shown.values()) if (expiresAtMs <= nowMs) shown.delete(shownId)
      for (const { challenge, expiresAtMs } of challenges.values()) {
        if (expiresAtMs <= nowMs) challenges.delete(challenge)
      }
      for (const { memberId, expiresAtMs } of codes.values()) if (expiresAtMs <= nowMs) codes.delete(memberId)
    })
  }
})
