// Mails on what happened to accounts, in memory.
import { Schema } from "effect"
import { type Books, find } from "#core/decisions/Books.ts"
import { type DueNoticeMail, isTold, NOTICES_SHOWN, type Notice, NoticeAction } from "#core/domain/mails/NoticeMail.ts"
import { isOperator } from "#core/domain/members/Actor.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { KeyId, LinkId, MemberId, QuoteId } from "#core/domain/shared/Ids.ts"
import { type AccountRecord, recordsWhere } from "./AccountRecords.ts"
import type { Kind } from "./MailQueue.ts"

const isNotice = Schema.is(NoticeAction)

/** How much of a limit of the day is used, where the record tells that. */
const nearOf = ({ details }: AuditRecord): Notice["near"] =>
  details["used"] === undefined
    ? null
    : {
        limit: details["limit"] === "cents" ? "cents" : "orders",
        used: Number(details["used"]),
        of: Number(details["of"])
      }

/** What the record is about, where its details do not say it: a credential, the site of a link, or who asked for an order. */
const labelOf = ({ keys, links, quotes }: Books, subject: string): string | undefined => {
  const quote = find(quotes, QuoteId.make(subject))
  return (
    find(keys, KeyId.make(subject))?.label ??
    find(links, LinkId.make(subject))?.domain ??
    (quote === undefined ? undefined : find(keys, quote.keyId)?.label)
  )
}

const textOf = ({ details }: AuditRecord, ...names: ReadonlyArray<string>): string | undefined => {
  const found = names.map((name) => details[name]).find((value) => value != null)
  return found === undefined ? undefined : String(found)
}

const centsOf = ({ details }: AuditRecord): number | null => {
  const cents = details["cents"] ?? details["net_cents"]
  return typeof cents === "number" ? cents : null
}

const noticeOf = (books: Books, record: AuditRecord): ReadonlyArray<Notice> => {
  const { auditId, action, actor, subject, details, atMs } = record
  if (!isNotice(action)) return []
  const emailOf = (id: string) => find(books.members, MemberId.make(id))?.email
  const newAddress = action === "account.email" ? textOf(record, "to") : undefined
  const label = textOf(record, "label", "client") ?? (action === "account.edit" ? textOf(record, "name") : undefined)
  return [
    {
      ...{ auditId, action, email: textOf(record, "email") ?? newAddress ?? emailOf(subject) ?? "" },
      ...{ role: textOf(record, "role", "to") ?? "", label: label ?? labelOf(books, subject) ?? "" },
      ...{ url: textOf(record, "url", "to_url") ?? "", cents: centsOf(record) },
      ...{ reason: textOf(record, "reason") ?? "", near: nearOf(record) },
      outcome: textOf(record, "outcome", "state") ?? (details["refunded"] === true ? "refunded" : ""),
      // Found only where the actor is a member.
      ...{ by: emailOf(actor) ?? null, isOfOperator: isOperator(actor), atMs }
    }
  ]
}

export const notices: Kind<AccountRecord, Pick<DueNoticeMail, "notices">> = {
  news: recordsWhere(isTold),
  idPrefix: "aud_",
  idOf: ({ record }) => record.auditId,
  isFor: ({ record }, memberId) => record.action !== "member.join" || record.actor !== memberId,
  tell: (books, told) => ({
    notices: told.slice(0, NOTICES_SHOWN).flatMap(({ record }) => noticeOf(books, record))
  }),
  skipsOld: true
}
