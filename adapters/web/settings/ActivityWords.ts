// What is told of a change to an account, as the rest of a sentence that begins with who made it.
import { Schema } from "effect"
import { spanText } from "#adapters/contract/shared/Counted.ts"
import { isolated } from "#adapters/html/Html.ts"
import { noLimits, ROTATION_GRACE_MS, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { LinkStatus } from "#core/domain/ordering/Link.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { scopesText } from "../Credentials.ts"
import { limitsText } from "../KeyLimits.ts"
import { linkStatusText } from "../Wording.ts"

type Details = AuditRecord["details"]

const text = (details: Details, name: string): string => isolated(String(details[name] ?? ""))
const cents = (details: Details): string => formatEur(Number(details["cents"] ?? 0))

/** After a colon, where there is one. */
const because = (details: Details): string => (text(details, "reason") === "" ? "" : `: ${text(details, "reason")}`)

const amountIn = (details: Details, name: string): number | null => {
  const value = details[name]
  return typeof value === "number" ? value : null
}

const wordsIn = (details: Details, name: string): ReadonlyArray<string> =>
  String(details[name] ?? "")
    .split(" ")
    .filter((word) => word !== "")

/** The limits as a record of the audit has them, see `limitDetails`. */
const limitsIn = (details: Details): SpendLimits => ({
  ...noLimits,
  maxOrderCents: amountIn(details, "maxOrderCents"),
  maxDayCents: amountIn(details, "maxDayCents"),
  dailyOrderCap: amountIn(details, "dailyOrderCap"),
  approveAboveCents: amountIn(details, "approveAboveCents"),
  allowedDomains: details["allowedDomains"] == null ? null : wordsIn(details, "allowedDomains"),
  holdLookAlikes: details["holdLookAlikes"] === true,
  alwaysAllow: wordsIn(details, "alwaysAllow").map((one) => {
    const [domain = "", upTo] = one.split("=")
    return { domain, upToCents: Number(upTo) }
  })
})

/** Records of earlier versions may be without the limits. */
const limitsSet = (details: Details, agent: string): string =>
  Object.hasOwn(details, "maxOrderCents")
    ? `set the limits of ${agent}: ${limitsText(limitsIn(details))}`
    : `set the limits of ${agent}`

const NEAR_LIMIT = "used 80 % or more of a daily limit"

/** What an assistant was allowed, in the words of its page. */
const allowedText = (details: Details): string => {
  const scopes = String(details["scopes"] ?? "")
  const may = scopesText((["read", "order"] as const).filter((scope) => scopes.split(" ").includes(scope)))
  return details["mode"] === "sandbox" ? `${may}, in the sandbox` : may
}

const isLinkStatus = Schema.is(LinkStatus)

const disputed = (details: Details, what: string): string =>
  details["state"] === "won"
    ? `booked that the dispute over ${cents(details)} of a ${what} is won`
    : `booked a dispute over ${cents(details)} of a ${what}`

/**
 * What is told of an action, as the rest of a sentence. `subject`: the key, connection or link that it was done to, by its present name. The others are named
 * as the audit names them, without details: these may be the operator's own.
 */
export const actionWords: Readonly<Record<string, (details: Details, subject: string) => string>> = {
  "account.open": () => "opened the account",
  "account.email": (details) => `changed the account's address to ${text(details, "to")}`,
  "account.edit": () => "changed what is kept of the account",
  "account.rename": (details) => `renamed the account from “${text(details, "from")}” to “${text(details, "to")}”`,
  "account.close": () => "closed the account",
  "account.top_up": (details) =>
    `booked a top-up of ${cents(details)}, with the reference “${text(details, "reference")}”`,
  "account.billing": () => "changed the billing identity",
  "account.confirm_vat": () => "confirmed your VAT id",
  "account.withdraw_vat": () => "took back the confirmation of your VAT id",
  "account.debit": (details) => `took back ${cents(details)}: ${text(details, "reason")}`,
  "agents.stop": () => "stopped all agents",
  "agents.resume": () => "let agents order again",
  "connection.consent": (details) =>
    `allowed the assistant “${text(details, "client")}” of ${text(details, "host")} to ${allowedText(details)}`,
  "connection.limit": limitsSet,
  "connection.view": (details, agent) =>
    details["account"] === true
      ? `let ${agent} read all orders of the account`
      : `let ${agent} read its own orders alone, which ended its webhooks for all of them`,
  "connection.near_limit": () => NEAR_LIMIT,
  "connection.pause": (_, agent) => `paused ${agent}`,
  "connection.resume": (_, agent) => `let ${agent} order again`,
  "connection.revoke": (_, agent) => `revoked ${agent}`,
  "key.issue": (details, agent) => `created the ${text(details, "mode")} key ${agent}`,
  "key.rotate": (details, agent) =>
    details["now"] === true
      ? `replaced ${agent} at once`
      : `replaced ${agent}; the one before stays active for ${spanText(ROTATION_GRACE_MS)}`,
  "key.limit": limitsSet,
  "key.near_limit": () => NEAR_LIMIT,
  "key.expire": () => "expired",
  "key.pause": (_, agent) => `paused ${agent}`,
  "key.resume": (_, agent) => `let ${agent} order again`,
  "key.revoke": (_, agent) => `revoked ${agent}`,
  "payment.refund": (details) => `booked a refund of ${cents(details)} of a card payment`,
  "payment.dispute": (details) => disputed(details, "card payment"),
  "payment.resolve": (details) => `settled a payment of ${cents(details)} that had been set aside`,
  "topup.refund": (details) => `booked a refund of ${cents(details)} of a top-up`,
  "topup.dispute": (details) => disputed(details, "top-up"),
  "topup.cancel": (details) => `cancelled a top-up of ${cents(details)}`,
  "link.cancel": (details, link) => `cancelled ${link}${because(details)}`,
  "link.change": (_, link) => `changed the target, the anchor or the brief of ${link}`,
  "link.correct": (_, link) => `corrected the address of ${link}, which is online`,
  "link.move": (details, link) =>
    isLinkStatus(details["to"])
      ? `moved ${link} to “${linkStatusText[details["to"]]}”${because(details)}`
      : `moved ${link} on`,
  "factor.passkey_added": () => "added a passkey",
  "factor.passkey_removed": () => "removed a passkey",
  "factor.totp_added": () => "added an authenticator app",
  "factor.totp_removed": () => "removed an authenticator app",
  "factor.code_issued": () => "made a one-time code for a member, which stands in for a lost passkey or app",
  "member.add": (details) => `let ${text(details, "email")} sign in, as ${text(details, "role")}`,
  "member.invite": (details) => `invited ${text(details, "email")}, as ${text(details, "role")}`,
  "member.join": (details) => `accepted the invitation, as ${text(details, "role")}`,
  "member.email": (details) =>
    `has another address now, ${text(details, "email")} instead of ${text(details, "label")}`,
  "member.email_ask": (details) => `asked to change their address to ${text(details, "to")}`,
  "member.email_refuse": (details) => `refused, from the former address, to change it to ${text(details, "to")}`,
  "member.email_withdraw": (details) => `withdrew the change of their address to ${text(details, "to")}`,
  "invitation.withdraw": (details) => `withdrew the invitation of ${text(details, "email")}`,
  "member.remove": (details) => `removed ${text(details, "email")}`,
  "member.role": (details) => `made a member ${text(details, "to")}`,
  "quote.abandon": () => "withdrew an unpaid order",
  "quote.approve": (details) => `approved an order of ${cents(details)}`,
  "quote.decline": (details) =>
    text(details, "reason") === "" ? "declined an order" : `declined an order: ${text(details, "reason")}`,
  "quote.expire": (details) => `ended an order of ${cents(details)} that was not approved in time`,
  "quote.pay": (details) => `recorded a payment of ${cents(details)}`,
  "reviewer.create": (details) => `made the sign-in of the reviewer ${text(details, "name")}`,
  "reviewer.end": (details) => `ended the sign-in of the reviewer ${text(details, "name")}`,
  "topup.open": (details) => `began a top-up of ${cents(details)}`,
  "webhook.add": (details) => `added the webhook ${text(details, "url")}`,
  "webhook.add_account": (details) => `added the webhook ${text(details, "url")} for all orders of the account`,
  "webhook.move_account": (details) => `sent all orders of the account to the webhook ${text(details, "url")}`,
  "webhook.change": (details) => `changed the webhook ${text(details, "url")}`,
  "webhook.disable": (details) => `switched off the webhook ${text(details, "url")}, which failed for too long`,
  "webhook.remove": (details) => `removed the webhook ${text(details, "url")}`
}

/** The actions that have words. */
export const toldActions: ReadonlyArray<string> = Object.keys(actionWords)
