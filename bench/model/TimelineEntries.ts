// The entries of an order's timeline: the words and the amount of each event. Part of the model.
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MovementKind } from "#core/domain/wallet/Ledger.ts"
import type { EventOf } from "../events/BenchEvent.ts"
import type { WalletMovement } from "./WalletsModel.ts"

export interface TimelineEntry {
  /** The same for a repetition of the same event. */
  readonly id: string
  readonly atMs: Millis
  readonly text: string
  readonly cents: Cents | null
}

const entry = (id: string, atMs: Millis, text: string, cents: Cents | null = null): TimelineEntry => ({
  id,
  atMs,
  text,
  cents
})

export const quoteEntries = (event: EventOf<"QuoteOpened">): ReadonlyArray<TimelineEntry> => {
  const { atMs, lines, grossCents, discountCents, discountLabel, totalCents, creditCents, cardCents } = event
  const { awaitsApproval } = event
  const entries = [entry("gross", atMs, `quote for ${counted(lines.length, "link")}`, grossCents)]
  if (discountCents > 0) {
    entries.push(entry("discount", atMs, `less ${discountLabel}`, -discountCents))
    entries.push(entry("total", atMs, "makes", totalCents))
  }
  if (creditCents > 0) entries.push(entry("credit", atMs, "of it from prepaid credit", creditCents))
  if (cardCents > 0) entries.push(entry("card", atMs, "of it for a human to pay by card", cardCents))
  if (awaitsApproval) entries.push(entry("asks", atMs, "waits for its human's approval"))
  return entries
}

const MOVEMENTS: Readonly<Record<MovementKind, string>> = {
  top_up: "credit topped up",
  late_payment: "late payment became credit",
  adjustment: "credit taken back",
  adjustment_reversed: "taken credit given back",
  recredit: "credit given back",
  hold: "credit held",
  release: "held credit released",
  capture: "credit spent"
}

const movementText = ({ kind, heldDeltaCents }: WalletMovement): string =>
  kind === "capture" && heldDeltaCents < 0 ? "held credit spent" : MOVEMENTS[kind]

export const movementEntry = (movement: WalletMovement): TimelineEntry =>
  entry(`ledger ${movement.entryId}`, movement.atMs, movementText(movement), movement.amountCents)

export const linkEntry = (event: EventOf<"LinkMoved">, domain: string): TimelineEntry => {
  const { atMs, linkId, to, reason, publishedUrl } = event
  const because = reason === null ? "" : ` (${reason})`
  const text =
    to === "published" ? `published: ${publishedUrl ?? domain}` : `${domain}: ${to.replace("_", " ")}${because}`
  return entry(`link ${linkId} ${to}`, atMs, text)
}

export const documentEntry = ({
  invoiceId,
  atMs,
  kind,
  number,
  totalCents
}: EventOf<"DocumentIssued">): TimelineEntry => {
  const what = `${number === null ? "pro forma " : ""}${kind === "invoice" ? "invoice" : "credit note"}`
  const text = number === null ? what : `${what} ${number}`
  return entry(`document ${invoiceId}`, atMs, text, kind === "invoice" ? totalCents : -totalCents)
}

const abandonment = ({ by, declinedReason }: EventOf<"QuoteAbandoned">): string => {
  if (declinedReason !== null) return `declined by its human${declinedReason === "" ? "" : `: ${declinedReason}`}`
  return by === "expiry" ? "quote expired" : `quote abandoned by the ${by}`
}

export const orderEntry = (
  event: EventOf<
    | "PaymentLinkReady"
    | "PaymentArrived"
    | "QuoteCredited"
    | "QuoteApproved"
    | "QuotePaid"
    | "QuoteAbandoned"
    | "OrderPlaced"
  >
): TimelineEntry => {
  const { atMs } = event
  switch (event._tag) {
    case "PaymentLinkReady":
      return entry(`ready ${event.paymentUrl}`, atMs, "payment link ready")
    case "PaymentArrived":
      return entry(`payment ${event.paymentId}`, atMs, "payment arrived", event.amountCents)
    case "QuoteCredited":
      return entry(`credited ${atMs}`, atMs, "payment came too late: it is credit now", event.cents)
    case "QuotePaid":
      return entry("paid", atMs, "quote paid")
    case "QuoteApproved":
      return entry("approved", atMs, "approved by its human")
    case "QuoteAbandoned":
      return entry(`abandoned ${atMs}`, atMs, abandonment(event))
    case "OrderPlaced":
      return entry("placed", atMs, `order placed: ${counted(event.links.length, "link")}`, event.totalCents)
  }
}
