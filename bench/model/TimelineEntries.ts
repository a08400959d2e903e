// The lines of an order's timeline: what each happening is called there, and the amount that belongs to it. One part of the model.
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { Cents } from "#core/domain/Money.ts"
import type { MovementKind } from "#core/domain/Wallet.ts"
import type { LinkSeen, OrderEvent } from "../events/BenchEvent.ts"
import type { Movement } from "./WalletsModel.ts"

/** One line of an order's timeline. */
export interface TimelineEntry {
  /** The same for the same happening, however often it is told. */
  readonly id: string
  readonly atMs: Millis
  readonly text: string
  readonly cents: Cents | null
}

type EventOf<Tag extends OrderEvent["_tag"]> = Extract<OrderEvent, { readonly _tag: Tag }> & {
  readonly atMs: Millis
}

export const isSameEntry =
  (moment: TimelineEntry) =>
  ({ id }: TimelineEntry): boolean =>
    id === moment.id

const moment = (id: string, atMs: Millis, text: string, cents: Cents | null = null): TimelineEntry => ({
  id,
  atMs,
  text,
  cents
})

const links = (count: number): string => (count === 1 ? "1 link" : `${count} links`)

export const ofPrice = (event: EventOf<"QuoteOpened">): ReadonlyArray<TimelineEntry> => {
  const { atMs, lines, grossCents, discountCents, discountLabel, totalCents, creditCents, cardCents } = event
  const told = [moment("gross", atMs, `quote for ${links(lines.length)}`, grossCents)]
  if (discountCents > 0) told.push(moment("discount", atMs, `less ${discountLabel}`, -discountCents))
  if (discountCents > 0) told.push(moment("total", atMs, "makes", totalCents))
  if (creditCents > 0) told.push(moment("credit", atMs, "of it from prepaid credit", creditCents))
  if (cardCents > 0) told.push(moment("card", atMs, "of it for a human to pay by card", cardCents))
  return told
}

export const ofPayment = (
  event: EventOf<"PaymentLinkReady" | "PaymentArrived" | "QuoteCredited" | "QuotePaid">
): TimelineEntry => {
  const { atMs } = event
  switch (event._tag) {
    case "PaymentLinkReady":
      return moment(`ready ${event.paymentUrl}`, atMs, "payment link ready")
    case "PaymentArrived":
      return moment(`payment ${event.paymentId}`, atMs, "payment arrived", event.amountCents)
    case "QuoteCredited":
      return moment(`credited ${atMs}`, atMs, "payment came too late: it is credit now", event.cents)
    case "QuotePaid":
      return moment("paid", atMs, "quote paid")
  }
}

export const ofAbandonment = ({ atMs, by }: EventOf<"QuoteAbandoned">): TimelineEntry =>
  moment(`abandoned ${atMs}`, atMs, by === "expiry" ? "quote expired" : `quote abandoned by the ${by}`)

export const ofOrder = ({ atMs, links: bought, totalCents }: EventOf<"OrderPlaced">): TimelineEntry =>
  moment("placed", atMs, `order placed: ${links(bought.length)}`, totalCents)

export const ofLink = (event: EventOf<"LinkMoved">, { domain }: LinkSeen): TimelineEntry => {
  const { atMs, linkId, to, reason, publishedUrl } = event
  const why = reason === null ? "" : ` (${reason})`
  const where = publishedUrl === null ? domain : publishedUrl
  const text = to === "published" ? `published: ${where}` : `${domain}: ${to.replace("_", " ")}${why}`
  return moment(`link ${linkId} ${to}`, atMs, text)
}

const MOVEMENTS: Readonly<Record<MovementKind, string>> = {
  top_up: "credit topped up",
  late_payment: "late payment became credit",
  recredit: "credit given back",
  hold: "credit held",
  release: "held credit released",
  capture: "held credit spent"
}

export const ofMovement = ({ entryId, atMs, kind, amountCents }: Movement): TimelineEntry =>
  moment(`ledger ${entryId}`, atMs, MOVEMENTS[kind], amountCents)
