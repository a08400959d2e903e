// What mails say of orders that wait for approval: who asks for what, the largest first, how much, and until when.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { deadlineText } from "#adapters/html/Times.ts"
import type { WaitingOrder } from "#core/domain/mails/ApprovalMail.ts"
import type { Mail } from "#core/domain/mails/Mail.ts"
import { type Cents, formatEur } from "#core/domain/pricing/Money.ts"
import { linksTo, sites } from "./LinkWords.ts"
import type { MailContent, MailFact } from "./MailFrame.ts"
import { asOwner } from "./TradeTexts.ts"

const waitingFact = ({ credential, totalCents, expiresAtMs, links }: WaitingOrder, zone?: string): MailFact => ({
  what: `${credential}: ${linksTo(links)}`,
  detail: `on ${sites(links)} · decide by ${deadlineText(expiresAtMs, zone)}`,
  amount: formatEur(totalCents)
})

/** One alone is told by the headline: who asks, and until when. */
const askedFact = ({ totalCents, links }: WaitingOrder): MailFact => ({
  what: linksTo(links),
  detail: `on ${sites(links)}`,
  amount: formatEur(totalCents)
})

const totalFact = (count: number, shown: number, totalCents: Cents): MailFact => ({
  what: `Total of ${counted(count, "order")}`,
  ...(count > shown ? { detail: `with ${counted(count - shown, "smaller order")} that this mail does not list` } : {}),
  amount: formatEur(totalCents)
})

export const ordersWaiting = (mail: Extract<Mail, { readonly _tag: "OrdersWaiting" }>): MailContent => {
  const { accountName, orders, count, totalCents, firstExpiresAtMs, timeZone, url, choicesUrl } = mail
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
        ? [...orders.map((each) => waitingFact(each, timeZone)), totalFact(count, orders.length, totalCents)]
        : [askedFact(one)],
    button: { label: one === undefined ? `Review ${count} orders` : "Review the order", url },
    after: ["The link approves nothing by itself: you sign in, look, and decide."],
    why: asOwner(accountName),
    choicesUrl
  }
}
