// Mails on what became of orders and money, in memory: links that are online, approvals that expired, what people paid for, and top-ups.
import { HashMap } from "effect"
import { type Books, find, linksOf } from "#core/decisions/Books.ts"
import { placedBy } from "#core/domain/access/PlacedBy.ts"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { documentId } from "#core/domain/invoicing/Invoice.ts"
import { type DueExpiryMail, EXPIRED_SHOWN, EXPIRY_ACTION } from "#core/domain/mails/ExpiryMail.ts"
import { type DueLinkMail, isPublication, LINKS_SHOWN } from "#core/domain/mails/LinkMail.ts"
import { type DueReceiptMail, isReceipted, RECEIPTS_SHOWN } from "#core/domain/mails/ReceiptMail.ts"
import { type DueTopUpMail, TOP_UPS_SHOWN } from "#core/domain/mails/TopUpMail.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { isOnline, type Link } from "#core/domain/ordering/Link.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import { sum } from "#core/domain/pricing/Money.ts"
import { LinkId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import type { TopUp } from "#core/domain/wallet/TopUp.ts"
import { rowsWhere } from "../../books/Rows.ts"
import { type AccountRecord, recordsWhere } from "./AccountRecords.ts"
import type { Kind } from "./MailQueue.ts"

/** The live link that the record put online, if it still is. */
const publishedLink = ({ links }: Books, { subject }: AuditRecord): Link | undefined => {
  const link = find(links, LinkId.make(subject))
  return link?.mode === "live" && isOnline(link.status) ? link : undefined
}

export const links: Kind<AccountRecord, Pick<DueLinkMail, "links">> = {
  news: recordsWhere((record, books) => isPublication(record) && publishedLink(books, record) !== undefined),
  idPrefix: "aud_",
  idOf: ({ record }) => record.auditId,
  tell: (books, told) => ({
    links: told.slice(0, LINKS_SHOWN).flatMap(({ record }) => {
      const link = publishedLink(books, record)
      if (link === undefined) return []
      const { orderId, domain, targetUrl, publishedUrl } = link
      return [{ auditId: record.auditId, orderId, domain, targetUrl, publishedUrl: publishedUrl ?? "" }]
    })
  }),
  skipsOld: true
}

export const expiries: Kind<AccountRecord, Pick<DueExpiryMail, "expiries">> = {
  news: recordsWhere(({ action }) => action === EXPIRY_ACTION),
  idPrefix: "aud_",
  idOf: ({ record }) => record.auditId,
  tell: ({ keys, quotes }, told) => ({
    expiries: told.slice(0, EXPIRED_SHOWN).flatMap(({ record }) => {
      const quote = find(quotes, QuoteId.make(record.subject))
      if (quote === undefined) return []
      const { quoteId, keyId, totalCents, lines } = quote
      const targets = lines.map(({ domain, item: { targetUrl } }) => ({ domain, targetUrl }))
      const credential = find(keys, keyId)?.label ?? ""
      return [{ auditId: record.auditId, quoteId, credential, totalCents, links: targets }]
    })
  }),
  skipsOld: true
}

const placerOf = ({ keys, members }: Books, order: Order): string | null => {
  const placer = placedBy(order, find(keys, order.keyId)?.label ?? "")
  if (placer.kind !== "member") return placer.label
  return placer.id === null ? null : (find(members, placer.id)?.email ?? null)
}

const vatOn = (invoice: Invoice | undefined): DueReceiptMail["receipts"][number]["vat"] => {
  if (invoice === undefined || invoice.facts.seller === null) return null
  const { vatBasisPoints: basisPoints, sentence } = invoice.facts
  return { cents: invoice.vatCents, basisPoints, sentence }
}

export const receipts: Kind<Order, Pick<DueReceiptMail, "receipts" | "totalCents">> = {
  news: ({ orders, quotes }) =>
    rowsWhere(orders, (order) => {
      const quote = find(quotes, order.quoteId)
      return quote !== undefined && isReceipted(order, quote)
    }),
  isIssued: ({ invoices }, { orderId }) => find(invoices, documentId("invoice", orderId)) !== undefined,
  idPrefix: "ord_",
  idOf: ({ orderId }) => orderId,
  tell: (books, orders) => ({
    totalCents: sum(orders.map(({ totalCents }) => totalCents)),
    receipts: orders.slice(0, RECEIPTS_SHOWN).map((order) => {
      const { orderId, totalCents } = order
      const invoiceId = documentId("invoice", orderId)
      const quote = find(books.quotes, order.quoteId)
      const invoice = find(books.invoices, invoiceId)
      return {
        placedBy: placerOf(books, order),
        ...{ orderId, invoiceId, invoiceNumber: invoice?.facts.number ?? null, totalCents },
        vat: vatOn(invoice),
        atMs: order.createdAtMs,
        ...{ cardCents: quote?.cardCents ?? 0, creditCents: quote?.creditCents ?? 0 },
        links: linksOf(books, order).map(({ domain, targetUrl, anchorText, netCents }) => ({
          ...{ domain, targetUrl, anchorText, netCents }
        }))
      }
    })
  }),
  skipsOld: true
}

const topUpOf = ({ topUps }: Books, { accountId, reference }: LedgerEntry): TopUp | undefined =>
  reference === undefined
    ? undefined
    : Array.from(HashMap.values(topUps)).find((one) => one.paymentId === reference && one.accountId === accountId)

export const topUps: Kind<LedgerEntry, Pick<DueTopUpMail, "topUps" | "totalCents">> = {
  news: (books) => rowsWhere(books.ledger, (entry) => entry.kind === "top_up" && topUpOf(books, entry) !== undefined),
  isIssued: ({ invoices }, { entryId }) => find(invoices, documentId("receipt", entryId)) !== undefined,
  idPrefix: "led_",
  idOf: ({ entryId }) => entryId,
  tell: (books, entries) => ({
    totalCents: sum(entries.map(({ amountCents }) => amountCents)),
    topUps: entries.slice(0, TOP_UPS_SHOWN).map((entry) => {
      const { entryId, amountCents: cents, atMs } = entry
      const topUp = topUpOf(books, entry)
      const by = topUp === undefined ? "" : (find(books.members, topUp.memberId)?.email ?? "")
      return { entryId, invoiceId: documentId("receipt", entryId), cents, by, atMs }
    })
  }),
  skipsOld: true
}
