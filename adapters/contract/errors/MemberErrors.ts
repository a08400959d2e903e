// Wording of refusals in the member area, which pages and the operator plane show.

import { formatEur } from "#core/domain/pricing/Money.ts"
import { timestamp } from "../schema/Text.ts"
import { type RefusalTexts, safeExcerpt } from "./ErrorText.ts"

/** Texts by the reason of the refusal. */
const NOT_CONFIRMED = {
  missing: {
    message: "This has to be confirmed with your passkey or a code of your app; nothing was done.",
    suggestion: "Confirm it in the form itself."
  },
  refused: {
    message: "The confirmation was not accepted; nothing was done.",
    suggestion: "Use your passkey again, or enter the code that your app shows now. Each code counts once."
  },
  no_factor: {
    message: "Owners of this account confirm changes with a second factor, and you have none; nothing was done.",
    suggestion:
      "Ask another owner or the operator for a one-time code, and add a passkey or an app with it in the settings."
  }
} as const

/** Texts by the end of the invitation. */
const INVITATION_ENDED = {
  unknown: "There is no such invitation, or it is no longer kept",
  accepted: "This invitation was accepted already, and counts once",
  withdrawn: "This invitation was withdrawn",
  expired: "This invitation has expired"
} as const

export const memberRefusals = {
  AccountClosed: ({ accountId }) => ({
    code: "account_closed",
    message: `The account ${safeExcerpt(accountId)} was closed; nothing was done.`
  }),
  AccountInUse: () => ({
    code: "account_in_use",
    message: "The account was not closed: an order is in progress, or one is not paid yet.",
    suggestion:
      "Wait until its orders are online or cancel them, and pay or withdraw what is not paid yet. Then close it."
  }),
  AlreadyInvited: ({ email, invitationId }) => ({
    code: "already_invited",
    message: `${safeExcerpt(email)} is invited already; nothing was done.`,
    suggestion: "Wait until the invitation is accepted or expires, or withdraw it first.",
    details: { invitation_id: safeExcerpt(invitationId) }
  }),
  CodeRefused: () => ({
    code: "code_refused",
    message: "This code was not accepted: it is wrong, too old or already used. Nothing was done.",
    suggestion: "Enter a current one; after ten wrong codes you wait an hour."
  }),
  ConnectionLimitReached: ({ limit }) => ({
    code: "connection_limit_reached",
    message: `The account has ${limit} connections already; nothing was done.`,
    suggestion: "Revoke one that is no longer needed, and connect again.",
    details: { limit }
  }),
  CreditTooLow: ({ totalCents, availableCents }) => ({
    code: "credit_too_low",
    message: `This order costs ${formatEur(totalCents)}, and your credit is ${formatEur(availableCents)}. It was not made.`,
    suggestion: "Top up your credit, and buy the rest then.",
    details: { total_cents: totalCents, available_cents: availableCents }
  }),
  FactorLimitReached: ({ limit }) => ({
    code: "factor_limit_reached",
    message: `You have ${limit} of this kind already; nothing was done.`,
    suggestion: "Remove one first.",
    details: { limit }
  }),
  FactorNotFound: ({ factorId }) => ({
    code: "factor_not_found",
    message: `You have no passkey and no app ${safeExcerpt(factorId)}.`
  }),
  InvitationEnded: ({ reason }) => ({
    code: "invitation_ended",
    message: `${INVITATION_ENDED[reason]}; nothing was done.`,
    suggestion: "Ask who invited you for another one.",
    details: { reason }
  }),
  InvitationLimitReached: ({ limit, resetsAtMs, retryAfterSeconds }) => ({
    code: "invitation_limit_reached",
    message: `The account has invited as many people today as it may in a day, which is ${limit}; nothing was done.`,
    suggestion: "Try again tomorrow. An account that opened itself invites more people a day once it has paid.",
    headers: { "retry-after": String(retryAfterSeconds) },
    details: { limit, resets_at: timestamp(resetsAtMs) }
  }),
  InvitationNotFound: ({ invitationId }) => ({
    code: "invitation_not_found",
    message: `The account has no open invitation ${safeExcerpt(invitationId)}.`
  }),
  LastOwner: () => ({
    code: "last_owner",
    message: "This is the account's last owner; nothing was done.",
    suggestion: "Make another member an owner first."
  }),
  MemberLimitReached: ({ limit }) => ({
    code: "member_limit_reached",
    message: `The account has ${limit} members and open invitations already; nothing was done.`,
    suggestion: "Remove a member that no longer needs to sign in, or withdraw an invitation.",
    details: { limit }
  }),
  MemberNotFound: ({ memberId }) => ({
    code: "member_not_found",
    message: `The account has no member ${safeExcerpt(memberId)}.`
  }),
  NotConfirmed: ({ reason }) => ({
    code: "not_confirmed",
    ...NOT_CONFIRMED[reason],
    details: { reason }
  }),
  NotSignedIn: () => ({
    code: "not_signed_in",
    message: "This request has no session, or its session has ended. Sign in again."
  }),
  OwnerOnly: () => ({
    code: "owner_only",
    message: "Only an owner of the account may change this; nothing was done.",
    suggestion: "Ask an owner of the account."
  }),
  PasskeyRefused: () => ({
    code: "passkey_refused",
    message: "The passkey was not accepted; nothing was done.",
    suggestion: "Try again. What the browser asks you has to be answered within five minutes."
  }),
  PasswordRefused: () => ({
    code: "password_refused",
    message: "The name or the password was not accepted, and you are not signed in.",
    suggestion: "Check both, or ask the operator whether they are still good. After ten attempts an hour has to pass."
  }),
  ReviewerNameTaken: ({ name }) => ({
    code: "reviewer_name_taken",
    message: `Another reviewer signs in as ${safeExcerpt(name)}; nothing was done.`,
    suggestion: "End that sign-in first, or take another name."
  }),
  ReviewerNotFound: ({ name }) => ({
    code: "reviewer_not_found",
    message: `No reviewer signs in as ${safeExcerpt(name)}.`
  }),
  SandboxAccount: ({ accountId }) => ({
    code: "sandbox_account",
    message: `The account ${safeExcerpt(accountId)} is a reviewer's, of the sandbox alone: it has no live key, no top-up and no other member. Nothing was done.`
  }),
  SessionNotFound: ({ sessionId }) => ({
    code: "session_not_found",
    message: `There is no live session ${safeExcerpt(sessionId)}.`
  }),
  SheetChanged: () => ({
    code: "sheet_changed",
    message:
      "The sheet or its price has changed since you opened this page, perhaps in another window. Nothing more was bought.",
    suggestion: "Check the sheet, and continue from there."
  }),
  SheetLimitReached: ({ limit }) => ({
    code: "sheet_limit_reached",
    message: `You have ${limit} sheets already; this one was not kept.`,
    suggestion: "Remove one that you do not need any more, and upload this one again.",
    details: { limit }
  }),
  SheetNotFound: () => ({
    code: "sheet_not_found",
    message:
      "There is no such sheet: it was removed, or kept for 90 days and then deleted. What was bought stays bought."
  }),
  SignInLinkInvalid: () => ({
    code: "sign_in_link_invalid",
    message: "This sign-in link was used, is too old, or was never sent.",
    suggestion: "Ask for another one."
  }),
  SignInTooOld: ({ minutes }) => ({
    code: "sign_in_too_old",
    message: `A first passkey or app is added within ${minutes} minutes after you signed in; nothing was done.`,
    suggestion: "Open Passkeys and apps in the settings: a link that is sent to you leads back there."
  }),
  TopUpAmountInvalid: ({ minimumCents, maximumCents }) => ({
    code: "top_up_amount_invalid",
    message: `A top-up is ${formatEur(minimumCents)} at least and ${formatEur(maximumCents)} at most; nothing was done.`,
    suggestion: "Choose an amount within these bounds.",
    details: { minimum_cents: minimumCents, maximum_cents: maximumCents }
  }),
  TopUpNotFound: () => ({ code: "top_up_not_found", message: "The account has no such top-up." })
} satisfies RefusalTexts
