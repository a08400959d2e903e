// What an agent should say and do after an order: one sentence with the money in it, and the next action.
import { counted } from "#core/domain/Counted.ts"
import { formatEur } from "#core/domain/Money.ts"
import type { Placement } from "#core/domain/Rendering.ts"
import type { QuoteAnswer } from "./QuoteAnswer.ts"
import { timestamp } from "./Text.ts"

/** How often an agent should look whether a human has paid. */
const POLL_AFTER_SECONDS = 30

const count = (links: number): string => counted(links, "link")

const priceOf = ({ quote }: Placement): string => {
  const { discount, totalCents, lines } = quote
  const saved = discount.source === "none" ? "" : ` after ${formatEur(discount.amountCents)} off (${discount.label})`
  return `${count(lines.length)} for ${formatEur(totalCents)}${saved}`
}

const paymentOf = ({ quote, dryRun }: Placement): string => {
  const { creditCents, cardCents } = quote
  if (cardCents === 0) {
    if (creditCents === 0) return "nothing to pay"
    return dryRun ? "prepaid credit would cover it" : `paid with ${formatEur(creditCents)} of prepaid credit`
  }
  const held = dryRun ? "would be held" : "is held"
  const credit = creditCents === 0 ? "" : `${formatEur(creditCents)} of prepaid credit ${held}; `
  const left = dryRun ? "would be left for a human to pay" : "is left for a human to pay"
  return `${credit}${formatEur(cardCents)} ${left}`
}

/** Whatever is said of a sandbox order begins with it, so that nobody waits for a link that never comes. */
const mark = ({ quote }: Placement): string => (quote.mode === "sandbox" ? "Sandbox, no real effect: " : "")

export const summarise = (placement: Placement): string => {
  const { quote, dryRun, order } = placement
  const what = dryRun
    ? "Dry run, nothing was ordered: "
    : order === null
      ? `Quote ${quote.quoteId}: `
      : `Order ${order.orderId} is placed: `
  return `${mark(placement)}${what}${priceOf(placement)}; ${paymentOf(placement)}.`
}

export const nextAction = (placement: Placement): QuoteAnswer["next_action"] => {
  const { quote, dryRun, order } = placement
  if (dryRun) {
    const tell = `${mark(placement)}This was only a price check: ${priceOf(placement)}; ${paymentOf(placement)}. Shall I place the order?`
    return { type: "none", tell_user: tell }
  }
  if (order !== null) {
    const tell = `${mark(placement)}Your order ${order.orderId} is placed and paid for: ${priceOf(placement)}. I can follow it until the links are online.`
    return { type: "none", tell_user: tell }
  }
  const expires = timestamp(quote.expiresAtMs)
  const poll = { poll_after_seconds: POLL_AFTER_SECONDS, expires_at: expires }
  const { paymentUrl, cardCents } = quote
  if (paymentUrl === null) {
    return { type: "poll_quote", ...poll, tell_user: "The payment link is being prepared; I will look again shortly." }
  }
  const tell = `${mark(placement)}Please open ${paymentUrl} to pay ${formatEur(cardCents)} by ${expires}. Nothing is charged unless you do; the order is placed once you have paid.`
  return { type: "open_payment_url", url: paymentUrl, ...poll, tell_user: tell }
}
