// The invariants of the people of an account: members, invitations, sessions, and what they top up; and of accounts that opened themselves.
import { emailKey } from "#core/domain/members/Account.ts"
import { isOpenInvitation } from "#core/domain/members/Invitation.ts"
import { MAX_MEMBERS, type Member } from "#core/domain/members/Member.ts"
import type { Invariant } from "#core/domain/operations/Invariant.ts"
import { isUseOf } from "#core/domain/pricing/WelcomeUse.ts"
import { find } from "../Books.ts"
import { all, compositeKey, groupBy, type InvariantCheck } from "./InvariantCheck.ts"

const isActive = ({ removedAtMs }: Member): boolean => removedAtMs === null

/** An account whose address is also another one's got no member with it; `email_is_unique` reports the younger one. */
const accountHasMembers: InvariantCheck = function* ({ accounts, members }) {
  const membersOf = groupBy(all(members), ({ accountId }) => accountId)
  const having = groupBy(all(accounts), ({ email }) => emailKey(email))
  for (const { accountId, email } of all(accounts)) {
    const every = membersOf(accountId)
    const active = every.filter(isActive)
    const owners = active.filter(({ role }) => role !== "viewer")
    const isWhole = every.length > 0 || having(emailKey(email)).length > 1
    if (isWhole && active.length <= MAX_MEMBERS && (active.length === 0 || owners.length > 0)) continue
    const counts = `${active.length} members sign in, ${owners.length} of them as owners`
    yield { subject: accountId, message: `${counts}; with those that were removed there are ${every.length}` }
  }
}

const invitationsAreFew: InvariantCheck = function* ({ accounts, members, invitations }, nowMs) {
  const membersOf = groupBy(all(members).filter(isActive), ({ accountId }) => accountId)
  const openTo = groupBy(
    all(invitations).filter((one) => isOpenInvitation(one, nowMs)),
    ({ accountId }) => accountId
  )
  for (const { accountId, closedAtMs } of all(accounts)) {
    const [active, open] = [membersOf(accountId).length, openTo(accountId).length]
    if (open === 0 || (closedAtMs === undefined && active + open <= MAX_MEMBERS)) continue
    const state = closedAtMs === undefined ? "" : ", and is closed"
    yield { subject: accountId, message: `it has ${open} open invitations and ${active} members${state}` }
  }
}

const addressSignsInOnce: InvariantCheck = function* ({ accounts, members }) {
  const active = all(members).filter(isActive)
  const signingIn = groupBy(active, ({ email }) => emailKey(email))
  const having = groupBy(all(accounts), ({ email }) => emailKey(email))
  for (const { memberId, accountId, email } of active) {
    const others = signingIn(emailKey(email)).filter((other) => other.memberId !== memberId)
    const holders = having(emailKey(email)).map((account) => account.accountId)
    // The oldest of several holders has the address, which `email_is_unique` reports.
    const isElsewhere = holders.length > 0 && !holders.includes(accountId)
    if (others.length === 0 && !isElsewhere) continue
    const also = [...others.map((other) => other.memberId), ...(isElsewhere ? holders : [])].toSorted().join(", ")
    yield { subject: memberId, message: `its address is also that of ${also}` }
  }
}

const sessionIsAMembers: InvariantCheck = function* ({ sessions, members }) {
  const withHash = groupBy(all(sessions), ({ hash }) => hash)
  for (const { sessionId, memberId, hash } of all(sessions)) {
    const isThere = find(members, memberId) !== undefined
    const alike = withHash(hash).length
    if (isThere && alike === 1 && /^[0-9a-f]{64}$/.test(hash)) continue
    const member = `member ${memberId}${isThere ? "" : ", which is not there"}`
    yield { subject: sessionId, message: `it is of ${member}; ${alike} sessions have its token` }
  }
}

const topUpIsBookedOnce: InvariantCheck = function* ({ topUps, ledger }) {
  const booked = groupBy(
    all(ledger).filter(({ kind }) => kind === "top_up"),
    ({ accountId, reference }) => (reference === undefined ? null : compositeKey(accountId, reference))
  )
  const paidBy = groupBy(all(topUps), ({ paymentId }) => paymentId)
  for (const { topUpId, accountId, status, cents, paymentId } of all(topUps)) {
    const entries = paymentId === null ? [] : booked(compositeKey(accountId, paymentId))
    const alike = paymentId === null ? 0 : paidBy(paymentId).length
    const fits = entries.length === 1 && entries[0]?.amountCents === cents && alike === 1
    if (status === "paid" ? fits : paymentId === null) continue
    const amounts = entries.map(({ amountCents }) => amountCents).toSorted((a, b) => a - b)
    const found = `payment ${paymentId ?? "-"} of ${alike} top-ups is booked as ${amounts.join(", ") || "nothing"}`
    yield { subject: topUpId, message: `it is ${status} with ${cents} cents; ${found}` }
  }
}

/** A quote keeps the offer that it was made with, so that another account may have spent it for the domain after that. */
const welcomeIsOncePerDomain: InvariantCheck = function* ({ accounts, welcomeUses, quotes, orders }) {
  const spent = all(welcomeUses).filter(
    ({ accountId, untilMs }) => untilMs === null && find(accounts, accountId)?.selfOpened === true
  )
  for (const { accountId, domain, quoteId } of spent) {
    const madeAtMs = find(quotes, quoteId)?.createdAtMs ?? 0
    const spentAtMs = (use: (typeof spent)[number]) =>
      find(orders, find(quotes, use.quoteId)?.orderId)?.createdAtMs ?? Number.POSITIVE_INFINITY
    const others = spent.filter(
      (use) => use.accountId !== accountId && isUseOf(use, domain) && spentAtMs(use) < madeAtMs
    )
    if (others.length === 0) continue
    const also = others
      .map((use) => use.accountId)
      .toSorted()
      .join(", ")
    yield { subject: accountId, message: `it spent the offer for ${domain}, and so did ${also}` }
  }
}

export const memberInvariants = {
  account_has_members: accountHasMembers,
  invitations_are_few: invitationsAreFew,
  address_signs_in_once: addressSignsInOnce,
  session_is_a_members: sessionIsAMembers,
  top_up_is_booked_once: topUpIsBookedOnce,
  welcome_is_once_per_domain: welcomeIsOncePerDomain
} satisfies Partial<Record<Invariant, InvariantCheck>>
