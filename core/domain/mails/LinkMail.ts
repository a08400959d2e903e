// Mails to owners on links that are online: what they tell, and how often one is sent.
import { Schema } from "effect"
import type { AuditRecord } from "../members/AuditRecord.ts"
import { AuditId, MemberId, OrderId } from "../shared/Ids.ts"

export const PublishedLink = Schema.Struct({
  /** The audit record of its publication. */
  auditId: AuditId,
  orderId: OrderId,
  domain: Schema.String,
  targetUrl: Schema.String,
  publishedUrl: Schema.String
})
export type PublishedLink = typeof PublishedLink.Type

/** A mail that is to be sent to one owner. */
export const DueLinkMail = Schema.Struct({
  memberId: MemberId,
  email: Schema.String,
  accountName: Schema.String,
  /** Oldest first, at most `LINKS_SHOWN`. */
  links: Schema.Array(PublishedLink),
  /** Counts all links that it tells of; 0 if they were all taken down meanwhile. */
  count: Schema.Int,
  /** The id of the last audit record that it tells of. */
  upTo: Schema.String,
  /** Earlier attempts that failed. */
  attempts: Schema.Int
})
export type DueLinkMail = typeof DueLinkMail.Type

/** Whether the record is that of a link that went online: no other move has an address. */
export const isPublication = ({ action, details }: Pick<AuditRecord, "action" | "details">): boolean =>
  action === "link.move" && typeof details["published_url"] === "string"

/** The first link is told at once; what goes online within a day of a mail is told in one mail at its end. */
export const LINK_MAIL_GAP_MS = 24 * 60 * 60_000

/** A mail lists the oldest, and says how many there are. */
export const LINKS_SHOWN = 20
