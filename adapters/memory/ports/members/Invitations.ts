// Invitations in memory: they are in the books, their mails and links beside them.
import { Clock, Effect, HashMap } from "effect"
import { find } from "#core/decisions/Books.ts"
import { emailKey } from "#core/domain/members/Account.ts"
import {
  INVITATION_KEPT_MS,
  INVITATION_MS,
  type Invitation,
  isOpenInvitation
} from "#core/domain/members/Invitation.ts"
import { type Millis, utcDay } from "#core/domain/shared/DecisionContext.ts"
import type { InvitationId, MemberId } from "#core/domain/shared/Ids.ts"
import { type DueInvitation, Invitations, type InvitationView } from "#core/ports/members/Invitations.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { rowsWhere, sorted } from "../../books/Rows.ts"

interface MailState {
  readonly key: string
  /** The UTC day of the last attempt. */
  readonly day: number
  readonly nextAtMs: Millis
  readonly leasedUntilMs: Millis
  readonly attempts: number
  readonly isDone: boolean
}

export const layer = overBooks(Invitations, ({ current, replace }) => {
  const mails = new Map<InvitationId, MailState>()
  const links = new Map<string, InvitationId>()

  const where = (condition: (one: Invitation) => boolean) =>
    sorted(rowsWhere(current().invitations, condition), {
      by: ({ createdAtMs, invitationId }) => [createdAtMs, invitationId]
    })

  const viewOf = (invitation: Invitation): InvitationView => ({
    invitation,
    accountName: find(current().accounts, invitation.accountId)?.name ?? "",
    // Found only where it is a member's id.
    inviter: find(current().members, invitation.invitedBy as MemberId | null)?.email ?? null
  })

  /** Whether a mail of another invitation went to this address on that day. */
  const isTaken = ({ invitationId, email }: Invitation, day: number): boolean =>
    [...mails].some(([id, mail]) => id !== invitationId && mail.key === emailKey(email) && mail.day === day)

  const isDue = (invitation: Invitation, nowMs: Millis): boolean => {
    const mail = mails.get(invitation.invitationId)
    if (invitation.invitedBy === null || !isOpenInvitation(invitation, nowMs) || isTaken(invitation, utcDay(nowMs)))
      return false
    return mail === undefined || (!mail.isDone && mail.nextAtMs <= nowMs && mail.leasedUntilMs <= nowMs)
  }

  return {
    ofAccount: (accountId) => where((one) => one.accountId === accountId),
    withLink: (hash) => {
      const invitation = find(current().invitations, links.get(hash))
      return invitation === undefined ? null : viewOf(invitation)
    },
    openTo: (email, nowMs) =>
      where((one) => emailKey(one.email) === emailKey(email) && isOpenInvitation(one, nowMs)).map(viewOf),
    claimMails: ({ nowMs, leaseMs, limit }) => {
      const claimed: Array<DueInvitation> = []
      for (const invitation of where(() => true)) {
        if (claimed.length >= limit || !isDue(invitation, nowMs)) continue
        const { attempts = 0 } = mails.get(invitation.invitationId) ?? {}
        mails.set(invitation.invitationId, {
          ...{ key: emailKey(invitation.email), day: utcDay(nowMs), nextAtMs: 0, attempts, isDone: false },
          leasedUntilMs: nowMs + leaseMs
        })
        claimed.push({ ...viewOf(invitation), attempts })
      }
      return claimed
    },
    keepLink: (invitationId, hash, nowMs) => {
      const invitation = find(current().invitations, invitationId)
      if (invitation === undefined || !isOpenInvitation(invitation, nowMs)) return false
      links.set(hash, invitationId)
      return true
    },
    settleMail: (invitationId, next) => {
      const mail = mails.get(invitationId)
      if (mail !== undefined && !mail.isDone)
        mails.set(invitationId, { ...mail, ...next, leasedUntilMs: 0, isDone: next === null })
    },
    prune: Effect.map(Clock.currentTimeMillis, (nowMs) => {
      const { invitations } = current()
      const kept = HashMap.filter(invitations, (one) => nowMs < one.expiresAtMs + INVITATION_KEPT_MS - INVITATION_MS)
      replace({ ...current(), invitations: kept })
      for (const id of mails.keys()) if (!HashMap.has(kept, id)) mails.delete(id)
      for (const [hash, id] of links) if (!HashMap.has(kept, id)) links.delete(hash)
    })
  }
})
