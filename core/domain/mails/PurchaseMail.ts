// Mails to owners on what agents bought from credit: what they tell, how often one is sent, and when a failed one is tried again.
import { Schema } from "effect"
import { isWebCredential } from "../access/WebCredential.ts"
import type { Order } from "../ordering/Order.ts"
import type { Quote } from "../ordering/Quote.ts"
import { Cents } from "../pricing/Money.ts"
import type { Millis } from "../shared/DecisionContext.ts"
import { MemberId, OrderId } from "../shared/Ids.ts"

export const Purchase = Schema.Struct({
  orderId: OrderId,
  /** The label of the key that ordered. */
  credential: Schema.String,
  totalCents: Cents,
  /** The address of the owner who approved it, "the operator", or `null` where it needed no approval. */
  approvedBy: Schema.NullOr(Schema.String),
  links: Schema.Array(Schema.Struct({ domain: Schema.String, targetUrl: Schema.String, netCents: Cents }))
})
export type Purchase = typeof Purchase.Type

/** A mail that is to be sent to one owner. */
export const DuePurchaseMail = Schema.Struct({
  memberId: MemberId,
  email: Schema.String,
  accountName: Schema.String,
  /** Oldest first, at most `PURCHASES_SHOWN`. */
  purchases: Schema.Array(Purchase),
  /** Counts all purchases that it tells of. */
  count: Schema.Int,
  totalCents: Cents,
  /** The id of the last order that it tells of. */
  upTo: Schema.String,
  /** Earlier attempts that failed. */
  attempts: Schema.Int
})
export type DuePurchaseMail = typeof DuePurchaseMail.Type

/** Leaves out orders of the Shop, of the sandbox, and those that a person paid for. */
export const isAgentPurchase = (
  { mode, keyId }: Pick<Order, "mode" | "keyId">,
  { creditCents, cardCents }: Pick<Quote, "creditCents" | "cardCents">
): boolean => mode === "live" && !isWebCredential(keyId) && creditCents > 0 && cardCents === 0

/** After a mail, what is bought is gathered for this long and told in one mail. */
export const MAIL_GAP_MS = 5 * 60_000

/** A mail lists the oldest, and says how many there are. */
export const PURCHASES_SHOWN = 20

const FIRST_RETRY_MS = 60_000
const MAX_RETRY_MS = 60 * 60_000

/** About a day of attempts. */
export const MAX_MAIL_ATTEMPTS = 30

/** After this many attempts that failed. */
export const retryDelayMs = (attempts: number): Millis =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 10), MAX_RETRY_MS)
