// A bought link, its states and the moves between them.
import { Schema } from "effect"
import { AnchorType, Format, Tier2 } from "../pricing/Cart.ts"
import { Cents } from "../pricing/Money.ts"
import { Shelf } from "../pricing/Shelf.ts"
import { Millis, Mode } from "../shared/DecisionContext.ts"
import { AccountId, LinkId, OpportunityId, OrderId, ProjectId, QuoteId } from "../shared/Ids.ts"

/** In the order in which a link passes through them. */
export const STAGES = ["to_assign", "assigned", "drafted", "in_review", "approved", "published", "verified"] as const
export type Stage = (typeof STAGES)[number]

export const LinkStatus = Schema.Literals([...STAGES, "cancelled"])
export type LinkStatus = typeof LinkStatus.Type

/** What a writer writes by: it may be changed until the text is written. */
export const LINK_TEXT_FIELDS = ["targetUrl", "anchorText", "anchorType", "brief"] as const

export const TextChange = Schema.Struct({
  field: Schema.Literals(LINK_TEXT_FIELDS),
  from: Schema.NullOr(Schema.String),
  to: Schema.NullOr(Schema.String)
})
export type TextChange = typeof TextChange.Type

export const LinkStep = Schema.Struct({
  status: LinkStatus,
  atMs: Millis,
  /** The step is a change of the link's text; its status stays. */
  changed: Schema.optionalKey(Schema.Array(TextChange)),
  /** The call under an idempotency key that took this step, by its `idPrefix`: run again after its answer was lost, it is known by this. */
  call: Schema.optionalKey(Schema.String),
  /** Why, where a reason was given. */
  reason: Schema.optionalKey(Schema.String),
  /** Where the link is online from then on. */
  url: Schema.optionalKey(Schema.String),
  /** Cancelled while the card's part of the price went back by refund or dispute. */
  refunded: Schema.optionalKey(Schema.Boolean),
  /** Only with `refunded`: what came back as credit, because credit had paid it. Nothing if missing. */
  creditedCents: Schema.optionalKey(Cents)
})

export const Link = Schema.Struct({
  linkId: LinkId,
  orderId: OrderId,
  quoteId: QuoteId,
  accountId: AccountId,
  mode: Mode,
  /** Position in the order, from 0. */
  index: Schema.Int,
  siteId: Schema.Int,
  domain: Schema.String,
  shelf: Shelf,
  format: Format,
  articleId: Schema.NullOr(Schema.Int),
  targetUrl: Schema.String,
  anchorText: Schema.String,
  anchorType: AnchorType,
  tier2Links: Tier2,
  projectId: Schema.NullOr(ProjectId),
  opportunityId: Schema.NullOr(OpportunityId),
  brief: Schema.NullOr(Schema.String),
  /** The buyer's own for this link. */
  reference: Schema.NullOr(Schema.String),
  priceCents: Cents,
  /** The price less this link's share of the discount: what a cancellation credits. */
  netCents: Cents,
  /** Days from the order until the link is due; `null` if its quote is from before turnarounds. */
  turnaroundDays: Schema.NullOr(Schema.Int),
  status: LinkStatus,
  statusReason: Schema.NullOr(Schema.String),
  publishedUrl: Schema.NullOr(Schema.String),
  publishedAtMs: Schema.NullOr(Millis),
  history: Schema.Array(LinkStep)
})
export type Link = typeof Link.Type

/** Whether the link was cancelled while the card's part of its price went back by refund or dispute. */
export const isRefunded = ({ history }: Pick<Link, "history">): boolean =>
  history.some(({ refunded }) => refunded === true)

/** What the link has credited, or in sandbox would have: once cancelled, its net price, or the part that credit had paid. */
export const linkCreditedCents = ({
  status,
  netCents,
  history
}: Pick<Link, "status" | "netCents" | "history">): Cents => {
  if (status !== "cancelled") return 0
  const refund = history.find(({ refunded }) => refunded === true)
  return refund === undefined ? netCents : (refund.creditedCents ?? 0)
}

export const stageOf = (status: Stage): number => STAGES.indexOf(status)

const PUBLISHED = stageOf("published")

export const isOnline = (status: LinkStatus): boolean => status !== "cancelled" && stageOf(status) >= PUBLISHED

/** Whether writing has started. */
export const isUnderway = (status: LinkStatus): boolean =>
  status !== "cancelled" && stageOf(status) >= stageOf("drafted")

export const canCancel = (status: LinkStatus): boolean => status !== "cancelled" && !isOnline(status)

const hostOf = (url: string): string => URL.parse(url)?.hostname.replace(/\.$/, "") ?? ""

/** Whether the URL's host is the site's domain or below it. */
export const isOnSite = ({ domain }: Pick<Link, "domain">, url: string): boolean => {
  const host = hostOf(url)
  const site = hostOf(`https://${domain}/`)
  return site !== "" && (host === site || host.endsWith(`.${site}`))
}

/** Links move forward only, may skip stages, and never leave `cancelled`. */
export const canMove = (from: LinkStatus, to: Stage): boolean => from !== "cancelled" && stageOf(to) > stageOf(from)

/** The stages that a move records: a link that moves straight to `verified` is also published. */
export const stagesPassed = (from: LinkStatus, to: Stage): ReadonlyArray<Stage> =>
  to === "verified" && !isOnline(from) ? ["published", "verified"] : [to]
