// Mails to owners on orders that wait for their approval: what they tell, and how often one is sent.
import type { Cents } from "./Money.ts"

export interface WaitingOrder {
  readonly quoteId: string
  /** The label of the key that asks. */
  readonly credential: string
  readonly totalCents: Cents
  readonly links: ReadonlyArray<{ readonly domain: string; readonly targetUrl: string }>
}

/** After a mail, further orders that wait are gathered for this long and told in one mail. */
export const APPROVAL_MAIL_GAP_MS = 60_000

/** A mail lists the oldest, and says how many there are. */
export const WAITING_SHOWN = 20
