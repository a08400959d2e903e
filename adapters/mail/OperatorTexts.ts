// What mails say of the operator's acts on an account, each named as such.
import type { Notice, TOLD } from "#core/domain/mails/NoticeMail.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"

/** What has ended with an account, and what has not. */
export const CLOSED =
  "closed the account. Its keys, connections and sign-ins have ended; its invoices, orders and credit stay on record."

interface Act {
  /** After "The operator of …". */
  readonly does: (notice: Notice) => string
  readonly subject: (notice: Notice) => string
}

/** In the operator's words, which are quoted. */
const because = ({ reason }: Notice): string => (reason === "" ? "" : ` Reason given: “${reason}”.`)

const amount = ({ cents }: Notice): string => formatEur(cents ?? 0)

const quoted = ({ label }: Notice): string => `“${label}”`

const giveBack = (notice: Notice): string =>
  notice.outcome === "refunded"
    ? "Your payment is refunded the way you paid."
    : `${amount(notice)} is back in your credit.`

const limits: Act = {
  does: (notice) => `changed the limits of ${quoted(notice)}.`,
  subject: (notice) => `The limits of ${quoted(notice)} were changed by the operator`
}

const pause: Act = {
  does: (notice) => `paused ${quoted(notice)}: it cannot order until it is resumed.`,
  subject: (notice) => `${quoted(notice)} was paused by the operator`
}

const resume: Act = {
  does: (notice) => `let ${quoted(notice)} order again.`,
  subject: (notice) => `${quoted(notice)} may order again`
}

const revoke: Act = {
  does: (notice) => `revoked ${quoted(notice)}: it cannot order or read any more.`,
  subject: (notice) => `${quoted(notice)} was revoked by the operator`
}

const acts: Readonly<Record<(typeof TOLD.operator)[number] | (typeof TOLD.loosened)[number] | "account.close", Act>> = {
  "account.top_up": {
    does: (notice) => `added ${amount(notice)} of credit.${because(notice)}`,
    subject: (notice) => `${amount(notice)} of credit was added by the operator`
  },
  "account.debit": {
    does: (notice) => `took ${amount(notice)} out of your credit.${because(notice)}`,
    subject: (notice) => `${amount(notice)} of your credit was taken by the operator`
  },
  "account.email": {
    does: ({ email }) => `changed the address of the account to ${email}.`,
    subject: () => "The address of your account was changed by the operator"
  },
  "account.edit": {
    does: ({ label }) => `named the account ${label}.`,
    subject: () => "Your account was renamed by the operator"
  },
  "account.billing": {
    does: () => "changed what is on your invoices from now on.",
    subject: () => "Your invoice details were changed by the operator"
  },
  "account.confirm_vat": {
    does: () => "confirmed your VAT id.",
    subject: () => "Your VAT id was confirmed by the operator"
  },
  "account.withdraw_vat": {
    does: () => "withdrew the confirmation of your VAT id.",
    subject: () => "Your VAT id is not confirmed any more"
  },
  "account.close": {
    does: (notice) => `${CLOSED}${because(notice)}`,
    subject: () => "Your account was closed by the operator"
  },
  "agents.resume": {
    does: () => "let your agents order again.",
    subject: () => "Your agents may order again"
  },
  "key.limit": limits,
  "key.rotate": {
    does: (notice) => `replaced the key ${quoted(notice)}: your agent needs the new one.`,
    subject: (notice) => `The key ${quoted(notice)} was replaced by the operator`
  },
  "key.pause": pause,
  "key.resume": resume,
  "key.revoke": revoke,
  "connection.limit": limits,
  "connection.pause": pause,
  "connection.resume": resume,
  "connection.revoke": revoke,
  "invitation.withdraw": {
    does: ({ email }) => `withdrew the invitation of ${email}.`,
    subject: ({ email }) => `The invitation of ${email} was withdrawn by the operator`
  },
  "member.role": {
    does: ({ email, role }) =>
      `made ${email} ${role === "owner" ? "an owner: they may do everything" : "a viewer: they see everything and change nothing"}.`,
    subject: ({ email, role }) => `${email} is ${role === "owner" ? "an owner" : "a viewer"} now`
  },
  "member.remove": {
    does: ({ email }) => `removed ${email} from the account.`,
    subject: ({ email }) => `${email} was removed by the operator`
  },
  "link.cancel": {
    does: (notice) => `cancelled your link on ${notice.label}. ${giveBack(notice)}${because(notice)}`,
    subject: ({ label }) => `Your link on ${label} was cancelled by the operator`
  },
  "link.correct": {
    does: ({ label, url }) => `corrected where your link on ${label} is online: ${url}`,
    subject: ({ label }) => `Your link on ${label} has another address`
  },
  "quote.approve": {
    does: (notice) => `approved the order of ${quoted(notice)} for ${amount(notice)}.`,
    subject: (notice) => `The order of ${quoted(notice)} was approved by the operator`
  },
  "quote.decline": {
    does: (notice) => `declined what ${quoted(notice)} asked to order. Nothing was charged.${because(notice)}`,
    subject: (notice) => `The order of ${quoted(notice)} was declined by the operator`
  },
  "quote.abandon": {
    does: (notice) => `withdrew what ${quoted(notice)} asked to order. Nothing was charged.`,
    subject: (notice) => `The order of ${quoted(notice)} was withdrawn by the operator`
  },
  "payment.resolve": {
    does: (notice) =>
      notice.outcome === "credited"
        ? `added a payment of ${amount(notice)} that could not be booked to your credit.${because(notice)}`
        : `gave back a payment of ${amount(notice)} that could not be booked.${because(notice)}`,
    subject: (notice) => `Your payment of ${amount(notice)} was settled by the operator`
  }
}

/** `null` for what the operator did not do, or what has the same words regardless of who did it. */
export const operatorAct = (notice: Notice): Act | null => {
  const known: Readonly<Record<string, Act>> = acts
  return notice.isOfOperator ? (known[notice.action] ?? null) : null
}
