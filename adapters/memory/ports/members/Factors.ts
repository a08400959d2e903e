// Passkeys and authenticator apps in memory.
import {
  CODE_ATTEMPT_MS,
  counterRises,
  MAX_PASSKEYS,
  mayTryCode,
  type Passkey,
  type Totp
} from "#core/domain/members/Factor.ts"
import type { MemberId, PasskeyId } from "#core/domain/shared/Ids.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { overBooks } from "../../books/OverBooks.ts"

interface KeptTotp extends Totp {
  /** When codes were looked at since the last right one. */
  readonly attemptsMs: ReadonlyArray<number>
}

const totpOf = ({ attemptsMs: _, ...totp }: KeptTotp): Totp => totp

const oldestFirst =
  <A extends { readonly createdAtMs: number }>(idOf: (one: A) => string) =>
  (a: A, b: A) =>
    a.createdAtMs - b.createdAtMs || (idOf(a) < idOf(b) ? -1 : 1)

export const layer = overBooks(Factors, () => {
  const passkeys = new Map<PasskeyId, Passkey>()
  const totps = new Map<MemberId, KeptTotp>()

  const ofMember = (memberId: MemberId) => [...passkeys.values()].filter((passkey) => passkey.memberId === memberId)

  /** `false` where the member has none, or `changed` has no change. */
  const change = (memberId: MemberId, changed: (totp: KeptTotp) => Partial<KeptTotp> | null): boolean => {
    const totp = totps.get(memberId)
    const changes = totp === undefined ? null : changed(totp)
    if (totp === undefined || changes === null) return false
    totps.set(memberId, { ...totp, ...changes })
    return true
  }

  return {
    ofMembers: (memberIds) => ({
      passkeys: memberIds.flatMap(ofMember).sort(oldestFirst(({ passkeyId }) => passkeyId)),
      totps: memberIds
        .flatMap((memberId) => totps.get(memberId) ?? [])
        .map(totpOf)
        .sort(oldestFirst(({ memberId }) => memberId))
    }),
    passkey: (passkeyId) => passkeys.get(passkeyId) ?? null,
    addPasskey: (passkey) => {
      const { passkeyId, memberId } = passkey
      if (passkeys.has(passkeyId) || ofMember(memberId).length >= MAX_PASSKEYS) return false
      passkeys.set(passkeyId, passkey)
      return true
    },
    usePasskey: (passkeyId, counter, atMs) => {
      const passkey = passkeys.get(passkeyId)
      if (passkey === undefined || !counterRises(passkey.counter, counter)) return false
      passkeys.set(passkeyId, { ...passkey, counter, lastUsedAtMs: atMs })
      return true
    },
    removePasskey: (memberId, passkeyId) =>
      passkeys.get(passkeyId)?.memberId === memberId && passkeys.delete(passkeyId),
    addTotp: (totp) => {
      if (totps.has(totp.memberId)) return false
      totps.set(totp.memberId, { ...totp, attemptsMs: [] })
      return true
    },
    countAttempt: (memberId, atMs) =>
      change(memberId, ({ attemptsMs }) =>
        mayTryCode(attemptsMs, atMs)
          ? { attemptsMs: [...attemptsMs.filter((before) => before > atMs - CODE_ATTEMPT_MS), atMs] }
          : null
      ),
    useStep: (memberId, step, atMs) =>
      change(memberId, ({ lastStep }) =>
        lastStep < step ? { lastStep: step, lastUsedAtMs: atMs, attemptsMs: [] } : null
      ),
    removeTotp: (memberId) => totps.delete(memberId),
    totpsAfter: ({ after, limit }) =>
      [...totps.values()]
        .filter(({ memberId }) => after === null || memberId > after)
        .sort((a, b) => (a.memberId < b.memberId ? -1 : 1))
        .slice(0, limit)
        .map(totpOf),
    resealTotp: (memberId, sealed, resealed) =>
      change(memberId, ({ sealedSecret }) => (sealedSecret === sealed ? { sealedSecret: resealed } : null))
  }
})
