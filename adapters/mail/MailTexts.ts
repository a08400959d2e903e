// The texts of all mails, plain and HTML. Facts that people wrote, such as names, are escaped in HTML and kept to one line in subjects.

import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { WaitingOrder } from "#core/domain/mails/ApprovalMail.ts"
import type { Mail } from "#core/domain/mails/Mail.ts"
import type { Notice } from "#core/domain/mails/NoticeMail.ts"
import type { Purchase } from "#core/domain/mails/PurchaseMail.ts"
import { shownTarget } from "#core/domain/ordering/TargetPolicy.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Paragraphs, and at most one button among them. */
interface Content {
  readonly subject: string
  readonly before: ReadonlyArray<string>
  readonly button?: { readonly label: string; readonly url: string }
  readonly after: ReadonlyArray<string>
}

const dates = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")

const CHANGES = {
  passkey_added: "A passkey was added",
  passkey_removed: "A passkey was removed",
  totp_added: "An authenticator app was added",
  totp_removed: "The authenticator app was removed"
} as const

const purchaseLines = ({ credential, orderId, totalCents, links }: Purchase): ReadonlyArray<string> => [
  `${credential} placed the order ${orderId} for ${formatEur(totalCents)}:`,
  ...links.map(({ domain, targetUrl, netCents }) => `${domain} → ${shownTarget(targetUrl)}: ${formatEur(netCents)}`)
]

const waitingLines = ({ credential, totalCents, links }: WaitingOrder): ReadonlyArray<string> => [
  `${credential} asks to order ${counted(links.length, "link")} for ${formatEur(totalCents)}:`,
  ...links.map(({ domain, targetUrl }) => `${domain} → ${shownTarget(targetUrl)}`)
]

const moreNews = (more: number): ReadonlyArray<string> =>
  more === 0 ? [] : [`And ${more} more, which the settings list under what was done.`]

const moreOf = (orders: number): ReadonlyArray<string> =>
  orders === 0 ? [] : [`And ${counted(orders, "order")} more, which the member area lists.`]

type MailOf<Tag extends Mail["_tag"]> = Extract<Mail, { readonly _tag: Tag }>

const signInLink = ({ url, accountName, isInvited, minutes }: MailOf<"SignInLink">): Content => {
  const opens = accountName === null && isInvited === undefined
  const signsIn = isInvited
    ? "This address asked to sign in, and is invited to an account: the page behind the link says by whom, and lets you accept."
    : `This link signs you in to the account ${accountName}.`
  return {
    subject: opens ? "Open your account" : "Your sign-in link",
    before: [opens ? "This address asked to open an account. It is free, and no card is needed." : signsIn],
    button: { label: opens ? "Open the account" : "Sign in", url },
    after: [
      `It is good for ${minutes} minutes, and once. The page asks you to press a button first.`,
      "If you did not ask for it, ignore this mail: nothing happens without the link."
    ]
  }
}

const invitation = ({ inviter, email, accountName, role, url, expiresAtMs }: MailOf<"Invitation">): Content => {
  const { host } = new URL(url)
  const by = inviter ?? `The operator of ${host}`
  const may = role === "owner" ? "an owner may do everything" : "a viewer sees everything and changes nothing"
  return {
    subject: `${by} invites you to an account`,
    before: [`${by} invites ${email} to the account ${accountName} at ${host}, as ${role}: ${may}.`],
    button: { label: "Look at the invitation", url },
    after: [
      `You become a member only if you accept on that page, until ${dates.format(expiresAtMs)} (UTC).`,
      "If you do not know who invites you, ignore this mail: nothing happens without you, and your address stays free."
    ]
  }
}

const noticeLine = ({ action, email, role, by, label, url }: Notice): string => {
  switch (action) {
    case "member.invite":
      return `${by ?? "The operator"} invited ${email}, as ${role}. Nothing happens unless the person accepts.`
    case "member.join":
      return `${email} accepted the invitation, and is a member now, as ${role}.`
    case "webhook.add_account":
      return `“${label}” added a webhook: from now on ${url} is told of all orders of the account, whoever places them.`
    case "webhook.disable":
      return `${url} is not told any more what becomes of your orders: it has failed for days, or answered that it is gone. Once it works again, turn it on and send it what it missed, on its page under Webhooks.`
  }
}

const noticeSubject = ({ action, email, label, url }: Notice): string => {
  switch (action) {
    case "member.invite":
      return `${email} was invited to your account`
    case "member.join":
      return `${email} joined your account`
    case "webhook.add_account":
      return `“${label}” added a webhook for all orders`
    case "webhook.disable":
      return `${url} was switched off`
  }
}

const isOfPeople = ({ action }: Notice): boolean => action === "member.invite" || action === "member.join"

const isNewWebhook = ({ action }: Notice): boolean => action === "webhook.add_account"

const WEBHOOK_UNDONE =
  "If a webhook was not meant, end it under Webhooks, or revoke the key or connection that added it."

const PERSON_UNDONE = "If a person was not meant, withdraw the invitation or remove the member there."

const accountNews = ({ accountName, notices, count, url }: MailOf<"AccountNews">): Content => {
  const [first] = notices
  return {
    subject: first !== undefined && count === 1 ? noticeSubject(first) : `What happened to the account ${accountName}`,
    before: [`In the account ${accountName}:`, ...notices.map(noticeLine), ...moreNews(count - notices.length)],
    button: { label: notices.every(isOfPeople) ? "Look at the members" : "Look at the settings", url },
    after: [
      ...(notices.some(isOfPeople) ? [PERSON_UNDONE] : []),
      ...(notices.some(isNewWebhook) ? [WEBHOOK_UNDONE] : []),
      "All owners get this mail."
    ]
  }
}

const contentOf = (mail: Mail): Content => {
  switch (mail._tag) {
    case "SignInLink":
      return signInLink(mail)
    case "Invitation":
      return invitation(mail)
    case "AccountNews":
      return accountNews(mail)
    case "FactorChanged":
      return {
        subject: `${CHANGES[mail.change]} for ${mail.email}`,
        before: [
          `${CHANGES[mail.change]} for ${mail.email}, who signs in to the account ${mail.accountName}.`,
          "If none of you did this, remove the member or ask the operator to close the sessions."
        ],
        after: []
      }
    case "OrdersWaiting": {
      const isOne = mail.count === 1
      return {
        subject: isOne ? "An order waits for you" : `${mail.count} orders wait for you`,
        before: [
          `In the account ${mail.accountName}, ${isOne ? "an order waits" : `${mail.count} orders wait`} for the approval of an owner. Nothing is bought without it, and what is not approved in time lapses.`,
          ...mail.orders.flatMap(waitingLines),
          ...moreOf(mail.count - mail.orders.length)
        ],
        button: { label: isOne ? "Look at the order" : "Look at the orders", url: mail.url },
        after: [
          "This link approves nothing by itself: you sign in, look, and decide. Whether you get these mails is in the settings."
        ]
      }
    }
    case "CreditPurchases":
      return {
        subject: `${mail.count === 1 ? "An agent" : "Agents"} bought for ${formatEur(mail.totalCents)} from your credit`,
        before: [
          `From the credit of the account ${mail.accountName}, ${counted(mail.count, "order")} for ${formatEur(mail.totalCents)}:`,
          ...mail.purchases.flatMap(purchaseLines),
          ...moreOf(mail.count - mail.purchases.length),
          "If this was not meant, the page behind this button stops all agents of the account until you let them order again."
        ],
        button: { label: "This was not meant", url: mail.stopUrl },
        after: []
      }
  }
}

export const mailText = (mail: Mail): MailText => {
  const { subject, before, button, after } = contentOf(mail)
  const plain = [...before, ...(button === undefined ? [] : [button.url]), ...after].map(oneLine)
  const paragraph = (text: string): Html => html`<p>${oneLine(text)}</p>\n`
  const link = button === undefined ? nothing : html`<p><a href="${button.url}">${button.label}</a></p>\n`
  return {
    subject: oneLine(subject),
    text: `${plain.join("\n\n")}\n`,
    html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${oneLine(subject)}</title></head><body>
${before.map(paragraph)}${link}${after.map(paragraph)}</body></html>
`.text
  }
}
