// What mails say. The headline is the news, the button leads to where one acts, and what follows says what happens without it.

import { counted } from "#adapters/contract/shared/Counted.ts"
import { deadlineText } from "#adapters/html/Times.ts"
import type { Mail } from "#core/domain/mails/Mail.ts"
import type { Purchase } from "#core/domain/mails/PurchaseMail.ts"
import { shownCode } from "#core/domain/members/SignInCode.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { ordersWaiting } from "./ApprovalTexts.ts"
import { linksTo, sites } from "./LinkWords.ts"
import { framed, type MailContent, type MailFact, type MailSender, type MailText } from "./MailFrame.ts"
import { newsButton, noticeLine, noticeNews, noticeSubject, undoingOf } from "./NoticeTexts.ts"
import { approvalsExpired, asOwner, linksOnline, ordersPaid, topUpsPaid } from "./TradeTexts.ts"

const CHANGES = {
  passkey_added: "A passkey was added",
  passkey_removed: "A passkey was removed",
  totp_added: "An authenticator app was added",
  totp_removed: "The authenticator app was removed"
} as const

const boughtFact = ({ credential, orderId, totalCents, approvedBy, links }: Purchase): MailFact => ({
  what: `${credential} ordered ${linksTo(links)}`,
  detail: `${approvedBy === null ? "" : `approved by ${approvedBy} · `}on ${sites(links)} · ${orderId}`,
  amount: formatEur(totalCents)
})

/** Why owners get the mails that cannot be turned off. */
const forAllOwners = (accountName: string): string =>
  `All owners of the account ${accountName} get this mail, because it keeps the account safe. It cannot be turned off.`

const moreNews = (more: number): ReadonlyArray<string> =>
  more === 0 ? [] : [`And ${more} more: see Activity under Settings.`]

const moreOf = (orders: number): ReadonlyArray<string> =>
  orders === 0 ? [] : [`And ${counted(orders, "order")} more, listed in your account.`]

type MailOf<Tag extends Mail["_tag"]> = Extract<Mail, { readonly _tag: Tag }>

const signInLink = ({ url, code: digits, accountName, isInvited, minutes }: MailOf<"SignInLink">): MailContent => {
  const opens = accountName === null && isInvited === undefined
  const code = { says: "Or type this code on the page where you asked for this mail:", code: shownCode(digits) }
  const after = [
    `Use one of them, once, within ${minutes} minutes. The page behind the button asks you to press a button first.`,
    "Give the code to no one. We never ask for it, neither on the phone nor in a message.",
    "If you did not ask for this mail, ignore it: nothing happens without you."
  ]
  const why = "You get this mail because this address was typed on our sign-in page."
  if (opens)
    return {
      subject: "Open your account",
      headline: "Open your account",
      before: ["You asked to open an account with this address. It is free, and no card is needed."],
      button: { label: "Open the account", url },
      ...{ code, after, why }
    }
  return {
    subject: "Your sign-in link",
    headline: isInvited ? "You are invited to an account" : `Sign in to ${accountName}`,
    before: [
      isInvited
        ? "You asked to sign in. The page behind the button says who invites you, and lets you accept."
        : `This link signs you in to the account ${accountName}.`
    ],
    button: { label: isInvited ? "See the invitation" : "Sign in", url },
    ...{ code, after, why }
  }
}

const invitation = (mail: MailOf<"Invitation">, serviceName: string): MailContent => {
  const { inviter, email, accountName, role, url, expiresAtMs } = mail
  const { host } = new URL(url)
  const by = inviter ?? `The operator of ${serviceName}`
  const may = role === "owner" ? "an owner may do everything" : "a viewer sees everything and changes nothing"
  return {
    subject: `${by} invites you to an account`,
    headline: `${by} invites you to ${accountName}`,
    before: [`${by} invites ${email} to the account ${accountName} at ${host}, as ${role}: ${may}.`],
    button: { label: "Look at the invitation", url },
    after: [
      `You become a member only if you accept on that page, until ${deadlineText(expiresAtMs)}.`,
      "If you do not know who invites you, ignore this mail: nothing happens without you, and your address stays free."
    ],
    why: `You get this mail because ${by} typed this address.`
  }
}

const emailChange = (mail: MailOf<"EmailChange">): MailContent => {
  const { side, accountName, from, to, url, expiresAtMs, timeZone } = mail
  const until = deadlineText(expiresAtMs, timeZone)
  if (side === "new")
    return {
      subject: "Confirm your new address",
      headline: "Confirm your new address",
      before: [`${from} wants to sign in to the account ${accountName} with this address, ${to}, from now on.`],
      button: { label: "Look at the change", url },
      after: [
        `The change is made once both mailboxes have confirmed it on that page, by ${until}. Until then nothing changes.`,
        "If you do not know of this, ignore this mail: nothing happens without you, and your address stays free."
      ],
      why: `You get this mail because a member of the account ${accountName} typed this address.`
    }
  return {
    subject: `Confirm the change of your address to ${to}`,
    headline: "Change your address?",
    before: [
      `In the account ${accountName}, you, or someone in your place, asked to sign in with ${to} instead of ${from}.`
    ],
    button: { label: "Confirm or refuse", url },
    after: [
      `The change is made once both mailboxes have confirmed it on that page, by ${until}. Until then nothing changes.`,
      "If this was not you, refuse it on that page: someone else is signed in as you. Then sign out everywhere else, under Settings."
    ],
    why: `You get this mail because you sign in to the account ${accountName} with this address. It cannot be turned off.`
  }
}

const accountNews = (mail: MailOf<"AccountNews">, serviceName: string): MailContent => {
  const { accountName, notices, count, url } = mail
  const lines = notices.map((notice) => noticeLine(notice, `The operator of ${serviceName}`))
  const [first] = notices
  const isOne = first !== undefined && count === 1
  const subject = isOne ? noticeSubject(first) : `What happened to the account ${accountName}`
  return {
    subject,
    headline: subject,
    before: isOne ? [noticeNews(first, lines[0] ?? "")] : [`In the account ${accountName}:`],
    facts: isOne ? [] : [...lines, ...moreNews(count - notices.length)].map((what) => ({ what })),
    button: { label: newsButton(notices), url },
    after: undoingOf(notices, serviceName),
    why: forAllOwners(accountName)
  }
}

const factorChanged = ({ change, email, accountName, url }: MailOf<"FactorChanged">): MailContent => ({
  subject: `${CHANGES[change]} for ${email}`,
  headline: `${CHANGES[change]} for ${email}`,
  before: [
    `${email} signs in to the account ${accountName}.`,
    "If one of you did this, there is nothing to do. If not, remove the member and end their sessions, or ask the operator to do so."
  ],
  button: { label: "Look at the members", url },
  why: forAllOwners(accountName)
})

const NOT_MEANT =
  "If this was not meant: until a writer begins, you can cancel a link on its order's page, and its price comes back as credit. Stop all agents, too: none of them orders any more until you let them order again. The page behind that button asks you first."

const creditPurchases = (mail: MailOf<"CreditPurchases">): MailContent => {
  const { accountName, purchases, count, totalCents, stopUrl, url, invoicesUrl, choicesUrl } = mail
  const areApproved = count === purchases.length && purchases.every(({ approvedBy }) => approvedBy !== null)
  const [first] = purchases
  const orders = { label: count === 1 ? "See the order" : "See your orders", url }
  const spent =
    first !== undefined &&
    count === purchases.length &&
    purchases.every(({ credential }) => credential === first.credential)
      ? `${first.credential} spent ${formatEur(totalCents)} of your credit`
      : `Your agents spent ${formatEur(totalCents)} of your credit`
  return {
    subject: spent,
    headline: spent,
    before: [
      areApproved
        ? `${counted(count, "order")}, which ${count === 1 ? "an owner" : "owners"} approved. There is nothing to do.`
        : `${counted(count, "order")}, within the limits that you set. If ${count === 1 ? "it was" : "they were"} meant, there is nothing to do.`
    ],
    facts: purchases.map(boughtFact),
    between: moreOf(count - purchases.length),
    button: orders,
    ...(areApproved ? {} : { grave: { says: NOT_MEANT, label: "This was not meant: stop all agents", url: stopUrl } }),
    links: [{ label: "See your invoices", url: invoicesUrl }],
    why: asOwner(accountName),
    choicesUrl
  }
}

const contentOf = (mail: Mail, serviceName: string): MailContent => {
  switch (mail._tag) {
    case "SignInLink":
      return signInLink(mail)
    case "Invitation":
      return invitation(mail, serviceName)
    case "EmailChange":
      return emailChange(mail)
    case "AccountNews":
      return accountNews(mail, serviceName)
    case "FactorChanged":
      return factorChanged(mail)
    case "OrdersWaiting":
      return ordersWaiting(mail)
    case "CreditPurchases":
      return creditPurchases(mail)
    case "LinksOnline":
      return linksOnline(mail)
    case "ApprovalsExpired":
      return approvalsExpired(mail)
    case "OrdersPaid":
      return ordersPaid(mail)
    case "TopUpsPaid":
      return topUpsPaid(mail)
  }
}

/** The plain and the HTML part, under the name of the service. Texts of people are escaped in HTML, and kept to one line. */
export const mailText = (mail: Mail, serviceName: string, sender?: MailSender): MailText =>
  framed(contentOf(mail, serviceName), serviceName, sender)
