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
    message: "Nobody is signed in, or the session has ended. Sign in again."
  }),
  OwnerOnly: () => ({
    code: "owner_only",
    message: "Only an owner of the account may change this; nothing was done.",
    suggestion: "Ask an owner of the account."
  }),
  SecondFactorRequired: () => ({
    code: "second_factor_required",
    message: "Confirm this with your passkey or the code of your authenticator app; nothing was done."
  }),
  SecondFactorWrong: ({ attemptsLeft }) => ({
    code: "second_factor_wrong",
    message:
      attemptsLeft === 0
        ? "The code is wrong, and was so too often: this sign-in link has ended. Ask for another one."
        : "The passkey or the code was not right; nothing was done.",
    ...(attemptsLeft === null ? {} : { details: { attempts_left: attemptsLeft } })
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
  SignInTooOld: ({ maxAgeMs }) => ({
    code: "sign_in_too_old",
    message: `This may be changed within ${maxAgeMs / 60_000} minutes of signing in only; nothing was done.`,
    suggestion: "Sign out, sign in again, and repeat it."
  }),
  TopUpAmountInvalid: ({ minimumCents, maximumCents }) => ({
    code: "top_up_amount_invalid",
    message: `A top-up is ${formatEur(minimumCents)} at least and ${formatEur(maximumCents)} at most; nothing was done.`,
    suggestion: "Choose an amount within these bounds.",
    details: { minimum_cents: minimumCents, maximum_cents: maximumCents }
  }),
  TopUpNotFound: () => ({ code: "top_up_not_found", message: "The account has no such top-up." })
} satisfies RefusalTexts
