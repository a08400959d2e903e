// Wording of refusals in the member area, which pages and the operator plane show.
import { formatEur } from "#core/domain/Money.ts"
import { type RefusalTexts, safeExcerpt } from "./ErrorText.ts"

export const memberRefusals = {
  AccountClosed: ({ accountId }) => ({
    code: "account_closed",
    message: `The account ${safeExcerpt(accountId)} was closed; nothing was done.`
  }),
  LastOwner: () => ({
    code: "last_owner",
    message: "This is the account's last owner; nothing was done.",
    suggestion: "Make another member an owner first."
  }),
  MemberLimitReached: ({ limit }) => ({
    code: "member_limit_reached",
    message: `The account has ${limit} members already.`,
    suggestion: "Remove one that no longer needs to sign in.",
    details: { limit }
  }),
  MemberNotFound: ({ memberId }) => ({
    code: "member_not_found",
    message: `The account has no member ${safeExcerpt(memberId)}.`
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
  SessionNotFound: ({ sessionId }) => ({
    code: "session_not_found",
    message: `There is no live session ${safeExcerpt(sessionId)}.`
  }),
  SignInLinkInvalid: () => ({
    code: "sign_in_link_invalid",
    message: "This sign-in link was used, is too old, or was never sent.",
    suggestion: "Ask for another one."
  }),
  TopUpAmountInvalid: ({ minimumCents, maximumCents }) => ({
    code: "top_up_amount_invalid",
    message: `A top-up is ${formatEur(minimumCents)} at least and ${formatEur(maximumCents)} at most; nothing was done.`,
    suggestion: "Choose an amount within these bounds.",
    details: { minimum_cents: minimumCents, maximum_cents: maximumCents }
  }),
  TopUpNotFound: () => ({ code: "top_up_not_found", message: "The account has no such top-up." })
} satisfies RefusalTexts
