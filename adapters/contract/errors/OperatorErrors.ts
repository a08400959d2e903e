// Wording of refusals on the operator plane and of payment notices.
import { isConnection } from "#core/domain/access/Connection.ts"
import { plainEur } from "#core/domain/pricing/Money.ts"
import { timestamp } from "../schema/Text.ts"
import { type RefusalTexts, safeExcerpt } from "./ErrorText.ts"

export const operatorRefusals = {
  AccountNotFound: ({ accountId }) => ({
    code: "account_not_found",
    message: `There is no account ${safeExcerpt(accountId)}.`
  }),
  PublishedElsewhere: ({ url, domain }) => ({
    code: "published_elsewhere",
    message: `${safeExcerpt(url)} is not on ${domain}, the site that this link was bought on. Nothing was written.`,
    suggestion: "Check the URL. If the link really is there, an admin may record it with --anyway.",
    details: { domain }
  }),
  BalanceTooLow: ({ accountId, cents, availableCents }) => ({
    code: "balance_too_low",
    message: `${safeExcerpt(accountId)} has ${plainEur(availableCents)} that no open quote holds, which is less than ${plainEur(cents)}; nothing was booked.`,
    suggestion: "Take at most what is available, or abandon the quotes that hold the rest first.",
    details: { cents, available_cents: availableCents }
  }),
  EmailTaken: ({ email, accountId }) => ({
    code: "email_taken",
    message: `${safeExcerpt(email)} is the e-mail address of the account ${safeExcerpt(accountId)}; nothing was done.`,
    suggestion: `Issue a key for that account (operator key issue ${safeExcerpt(accountId)}), or take another address.`,
    details: { account_id: safeExcerpt(accountId) }
  }),
  VatIdDiffers: ({ accountId, vatId }) => ({
    code: "vat_id_differs",
    message: `${safeExcerpt(accountId)} has ${vatId === null ? "no VAT id" : `the VAT id ${safeExcerpt(vatId)}`}; nothing was done.`,
    suggestion: "Look at the account's billing identity again (operator account billing), and check that VAT id.",
    details: { vat_id: vatId === null ? null : safeExcerpt(vatId) }
  }),
  KeyExpiryInvalid: () => ({
    code: "validation_failed",
    param: "expiresAtMs",
    message: "The time must lie in the future, and at most ten years from now. Nothing was made.",
    suggestion: "Give another time, or none: without one, it is active until it is revoked."
  }),
  KeyLimitReached: ({ limit }) => ({
    code: "api_key_limit_reached",
    message: `The account has ${limit} active API keys already, live and sandbox together.`,
    suggestion: "Revoke one that is no longer needed.",
    details: { limit }
  }),
  KeyNotFound: ({ keyId }) =>
    isConnection(keyId)
      ? { code: "connection_not_found", message: `There is no connection with the id ${safeExcerpt(keyId)}.` }
      : { code: "api_key_not_found", message: `There is no API key with the id ${safeExcerpt(keyId)}.` },
  KeyRotationLimitReached: ({ keyId, limit, resetsAtMs, retryAfterSeconds }) => ({
    code: "rate_limited",
    message: `The last ${limit} texts of ${safeExcerpt(keyId)} before the present one are still good, as each was promised to be for 24 hours. Nothing was changed.`,
    suggestion: `The next rotation is possible after ${timestamp(resetsAtMs)}; with --now the present text and all before it end at once.`,
    headers: { "retry-after": String(retryAfterSeconds) },
    details: { limit, retry_after_seconds: retryAfterSeconds, resets_at: timestamp(resetsAtMs) }
  }),
  PaymentMismatch: ({ quoteId, reason }) => ({
    code: "payment_mismatch",
    message: `The payment for quote ${safeExcerpt(quoteId)} has the wrong ${reason}; nothing was written.`,
    details: { quote_id: safeExcerpt(quoteId), reason }
  }),
  PaymentNotFound: ({ paymentId }) => ({
    code: "payment_not_found",
    message: `No payment ${safeExcerpt(paymentId)} is set aside.`,
    suggestion: "List what is set aside with `operator payments`."
  }),
  PaymentResolved: ({ paymentId, outcome }) => ({
    code: "payment_resolved",
    message: `The payment ${safeExcerpt(paymentId)} was ${outcome} before; nothing was written.`,
    details: { outcome }
  }),
  PaymentsAreReal: () => ({
    code: "payments_are_real",
    message: "Payments are taken by a real processor here and cannot be pretended; nothing was done."
  }),
  ReferenceReused: ({ reference, bookedCents }) => ({
    code: "reference_reused",
    message: `A movement of ${plainEur(bookedCents)} was booked under the reference ${safeExcerpt(reference)} before; nothing was booked now.`,
    suggestion:
      "Give each top-up or adjustment its own reference, such as the bank's; the same one only to tell the same again.",
    details: { booked_cents: bookedCents }
  })
} satisfies RefusalTexts
