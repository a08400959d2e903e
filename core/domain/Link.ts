// A bought link, its states and the moves between them.
import { Schema } from "effect"
import type { AnchorType, Format, Tier2 } from "./Cart.ts"
import type { Millis, Mode } from "./DecisionContext.ts"
import type { Cents } from "./Money.ts"
import type { Shelf } from "./Shelf.ts"

/** In the order in which a link passes through them. */
export const STAGES = ["to_assign", "assigned", "drafted", "in_review", "approved", "published", "verified"] as const
export type Stage = (typeof STAGES)[number]

export const LinkStatus = Schema.Literals([...STAGES, "cancelled"])
export type LinkStatus = typeof LinkStatus.Type

export interface Link {
  readonly linkId: string
  readonly orderId: string
  readonly quoteId: string
  readonly accountId: string
  readonly mode: Mode
  /** Position in the order, from 0. */
  readonly index: number
  readonly siteId: number
  readonly domain: string
  readonly shelf: Shelf
  readonly format: Format
  readonly articleId: number | null
  readonly targetUrl: string
  readonly anchorText: string
  readonly anchorType: AnchorType
  readonly tier2Links: Tier2
  readonly projectId: string | null
  readonly opportunityId: string | null
  readonly brief: string | null
  readonly priceCents: Cents
  /** The price less this link's share of the discount: what a cancellation credits. */
  readonly netCents: Cents
  readonly status: LinkStatus
  readonly statusReason: string | null
  readonly publishedUrl: string | null
  readonly publishedAtMs: Millis | null
  readonly history: ReadonlyArray<{
    readonly status: LinkStatus
    readonly atMs: Millis
    /** Cancelled while the card's part of the price went back by refund or dispute. */
    readonly refunded?: boolean
    /** Only with `refunded`: what came back as credit, because credit had paid it. Nothing if missing. */
    readonly creditedCents?: Cents
  }>
}

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
