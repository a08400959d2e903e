// What mails say of orders that wait for approval: who asks for what, the largest first, how much, and until when.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { deadlineText } from "#adapters/html/Times.ts"
import type { WaitingOrder } from "#core/domain/mails/ApprovalMail.ts"
import type { Mail } from "#core/domain/mails/Mail.ts"
import { type Cents, formatEur } from "#core/domain/pricing/Money.ts"
import { anchors, linksTo } from "./LinkWords.ts"
import type { MailContent, MailFact } from "./MailFrame.ts"
import { asOwner } from "./TradeTexts.ts"

const waitingFact = ({ credential, totalCents, expiresAtMs, links }: WaitingOrder, zone?: string): MailFact => ({
  what: `${credential}: ${linksTo(links)}`,
  detail: `${anchors(links)} · decide by ${deadlineText(expiresAtMs, zone)}`,
  amount: formatEur(totalCents)
})

/** Links that the mail on one order lists. */
const MOST_LINKS = 10

/** One alone is told by the headline: who asks, and until when. */
const askedFact = ({ totalCents, links }: WaitingOrder): MailFact => ({
  what: linksTo(links),
  detail: anchors(links, MOST_LINKS),
  amount: formatEur(totalCents)
})

/** What the mail does not list, and the sum of all. */
const totalFacts = (orders: ReadonlyArray<WaitingOrder>, count: number, totalCents: Cents): ReadonlyArray<MailFact> => {
  const left = count - orders.length
  const listedCents = orders.reduce((cents, order) => cents + order.totalCents, 0)
  return [
    ...(left === 0
      ? []
      : [{ what: `And ${counted(left, "more order")}`, amount: formatEur(totalCents - listedCents) }]),
    { what: `Total of ${counted(count, "order")}`, amount: formatEur(totalCents), kind: "total" }
  ]
}

export const ordersWaiting = (mail: Extract<Mail, { readonly _tag: "OrdersWaiting" }>): MailContent => {
  const { accountName, orders, count, totalCents, firstExpiresAtMs, timeZone, url, stopUrl, choicesUrl } = mail
  const until = deadlineText(firstExpiresAtMs, timeZone)
  const [first] = orders
  const one = count === 1 ? first : undefined
  const asks =
    one === undefined
      ? `Your agents ask to spend ${formatEur(totalCents)}`
      : `${one.credential} asks to spend ${formatEur(totalCents)}`
  const decide =
    one === undefined
      ? `${counted(count, "order")} wait. Decide on the first by ${until}. Nothing is bought before an owner approves it. If you do nothing, they expire and nothing is bought.`
      : `Decide by ${until}. Nothing is bought before an owner approves it. If you do nothing, it expires and nothing is bought.`
  return {
    subject: `${asks}: decide by ${until}`,
    headline: asks,
    before: [decide],
    facts:
      one === undefined
        ? [...orders.map((each) => waitingFact(each, timeZone)), ...totalFacts(orders, count, totalCents)]
        : [askedFact(one)],
    button: { label: one === undefined ? `Review ${count} orders` : "Review the order", url },
    links: [{ label: "Stop all agents", url: stopUrl }],
    after: ["The link approves nothing by itself: you sign in, look, and decide."],
    why: asOwner(accountName),
    choicesUrl
  }
}
