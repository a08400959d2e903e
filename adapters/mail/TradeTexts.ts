// What mails say of orders and money that need no decision any more: links that are online, approvals that expired, what people paid for, and
// top-ups. None of them blames what an owner approved.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { deadlineText, longDay } from "#adapters/html/Times.ts"
import type { ExpiredOrder } from "#core/domain/mails/ExpiryMail.ts"
import type { PublishedLink } from "#core/domain/mails/LinkMail.ts"
import type { Mail } from "#core/domain/mails/Mail.ts"
import type { Receipt } from "#core/domain/mails/ReceiptMail.ts"
import type { PaidTopUp } from "#core/domain/mails/TopUpMail.ts"
import { shownTarget } from "#core/domain/ordering/TargetPolicy.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { linksTo, sites } from "./LinkWords.ts"
import type { MailContent, MailFact } from "./MailFrame.ts"

/** The zone of what mails date as documents do. */
const UTC = "UTC"

type MailOf<Tag extends Mail["_tag"]> = Extract<Mail, { readonly _tag: Tag }>

/** Why owners get the mails that they choose. */
export const asOwner = (accountName: string): string => `You get this mail as an owner of the account ${accountName}.`

/** What a mail does not list. */
const more = (left: number, thing: string): ReadonlyArray<string> =>
  left === 0 ? [] : [`And ${counted(left, thing)} more, listed in your account.`]

const onlineFact = ({ domain, targetUrl, publishedUrl }: PublishedLink): MailFact => ({
  what: `${domain} links to ${shownTarget(targetUrl)}`,
  detail: publishedUrl
})

export const linksOnline = ({ accountName, links, count, url, choicesUrl }: MailOf<"LinksOnline">): MailContent => {
  const [first] = links
  const isOne = first !== undefined && count === 1
  const headline = isOne ? `Your link on ${first.domain} is online` : `${counted(count, "link")} of yours are online`
  return {
    subject: headline,
    headline,
    before: [`${isOne ? "It was" : "They were"} ordered by the account ${accountName}.`],
    facts: links.map(onlineFact),
    between: more(count - links.length, "link"),
    button: { label: isOne ? "See the link" : "See your links", url },
    after: ["After this mail, what goes online within a day comes in one mail."],
    why: asOwner(accountName),
    choicesUrl
  }
}

const expiredFact = ({ credential, totalCents, links }: ExpiredOrder): MailFact => ({
  what: `${credential} asked to order ${linksTo(links)}`,
  detail: `on ${sites(links)}`,
  amount: formatEur(totalCents)
})

export const approvalsExpired = (mail: MailOf<"ApprovalsExpired">): MailContent => {
  const { accountName, expiries, count, url, choicesUrl } = mail
  const [first] = expiries
  const headline =
    first !== undefined && count === 1
      ? `The order of ${first.credential} expired without a decision`
      : `${counted(count, "order")} expired without a decision`
  return {
    subject: headline,
    headline,
    before: [
      `No owner of the account ${accountName} decided in time. Nothing was charged, nothing is ordered, and the credit that was set aside is yours to spend again.`
    ],
    facts: expiries.map(expiredFact),
    between: [
      ...more(count - expiries.length, "order"),
      "To have it after all, ask the agent to order it again and approve it in time, or order it yourself in the Shop."
    ],
    button: { label: "See what expired", url },
    why: asOwner(accountName),
    choicesUrl
  }
}

const BASIS_POINTS_A_PERCENT = 100

/** The VAT as the invoice has it. */
const vatFacts = ({ vat }: Receipt): ReadonlyArray<MailFact> => {
  if (vat === null) return []
  if (vat.sentence !== null) return [{ what: vat.sentence, kind: "part" }]
  const what = `Includes ${vat.basisPoints / BASIS_POINTS_A_PERCENT} % VAT`
  return vat.cents === 0 ? [] : [{ what, amount: formatEur(vat.cents), kind: "part" }]
}

const paid = (what: string, cents: number): ReadonlyArray<MailFact> =>
  cents === 0 ? [] : [{ what, amount: formatEur(cents), kind: "part" }]

/** What is in a total, and what paid for it. */
const partsOf = (receipt: Receipt): ReadonlyArray<MailFact> => [
  ...vatFacts(receipt),
  ...paid("Paid from credit", receipt.creditCents),
  ...paid("Paid by card", receipt.cardCents),
  ...(receipt.totalCents === 0 ? [{ what: "Nothing was to pay", kind: "part" as const }] : [])
]

const invoiceName = ({ invoiceNumber }: Receipt): string =>
  invoiceNumber === null ? "pro forma invoice" : `invoice ${invoiceNumber}`

type OrdersPaid = MailOf<"OrdersPaid">

/** Who placed the order. */
const placerOf = ({ placedBy }: Receipt, { accountName }: OrdersPaid): string =>
  placedBy ?? `The account ${accountName}`

const receiptFacts = (receipt: Receipt, mail: OrdersPaid): ReadonlyArray<MailFact> => [
  {
    what: `${placerOf(receipt, mail)} ordered ${linksTo(receipt.links)}`,
    detail: [
      `on ${sites(receipt.links)}`,
      `ordered on ${longDay(receipt.atMs, UTC)}`,
      ...[invoiceName(receipt), receipt.orderId]
    ].join(" · "),
    amount: formatEur(receipt.totalCents)
  },
  ...partsOf(receipt)
]

/** Links that a receipt of one order lists, each with its price. */
const MOST_LINKS = 20

const orderedFacts = (receipt: Receipt): ReadonlyArray<MailFact> => [
  ...receipt.links.slice(0, MOST_LINKS).map(({ domain, targetUrl, anchorText, netCents }) => ({
    what: domain,
    detail: `“${anchorText}” to ${shownTarget(targetUrl)}`,
    amount: formatEur(netCents)
  })),
  { what: "Total", detail: receipt.orderId, amount: formatEur(receipt.totalCents), kind: "total" },
  ...partsOf(receipt)
]

export const ordersPaid = (mail: OrdersPaid): MailContent => {
  const { accountName, receipts, count, totalCents, url, invoiceUrl, choicesUrl } = mail
  const [first] = receipts
  if (first !== undefined && count === 1) {
    const { links } = first
    return {
      subject: `Receipt: ${formatEur(totalCents)} for ${counted(links.length, "link")}`,
      headline: `${placerOf(first, mail)} ordered ${counted(links.length, "link")} for ${formatEur(totalCents)}`,
      before: [
        `Thank you. This is the receipt of the account ${accountName}, for the order of ${longDay(first.atMs, UTC)}.`
      ],
      facts: orderedFacts(first),
      between: more(Math.max(0, links.length - MOST_LINKS), "link"),
      button: { label: "See the order", url },
      links: [{ label: `See the ${invoiceName(first)}`, url: invoiceUrl }],
      why: asOwner(accountName),
      choicesUrl
    }
  }
  return {
    subject: `Receipts: ${formatEur(totalCents)} for ${counted(count, "order")}`,
    headline: `${counted(count, "order")} for ${formatEur(totalCents)}`,
    before: [`Thank you. These are the receipts of the account ${accountName}.`],
    facts: receipts.flatMap((receipt) => receiptFacts(receipt, mail)),
    between: more(count - receipts.length, "order"),
    button: { label: "See your orders", url },
    links: [{ label: "See the invoices", url: invoiceUrl }],
    why: asOwner(accountName),
    choicesUrl
  }
}

const topUpFact = ({ by, cents, atMs }: PaidTopUp, zone?: string): MailFact => ({
  what: `Topped up by ${by}`,
  detail: deadlineText(atMs, zone),
  amount: formatEur(cents)
})

export const topUpsPaid = (mail: MailOf<"TopUpsPaid">): MailContent => {
  const { accountName, topUps, count, totalCents, timeZone, url, receiptUrl, choicesUrl } = mail
  const headline = `${formatEur(totalCents)} of credit was added`
  return {
    subject: headline,
    headline,
    before: [`Thank you. The payment arrived, and the account ${accountName} can spend it.`],
    facts: topUps.map((one) => topUpFact(one, timeZone)),
    between: more(count - topUps.length, "top-up"),
    button: { label: "See your credit", url },
    links: [{ label: count === 1 ? "See the receipt" : "See the receipts", url: receiptUrl }],
    why: asOwner(accountName),
    choicesUrl
  }
}
