// Audit records of accounts, as mails in memory tell them.
import type { Books } from "#core/decisions/Books.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { rowsWhere } from "../../books/Rows.ts"

export interface AccountRecord {
  readonly record: AuditRecord
  readonly accountId: AccountId
}

export const recordsWhere =
  (isTold: (record: AuditRecord, books: Books) => boolean) =>
  (books: Books): ReadonlyArray<AccountRecord> =>
    rowsWhere(books.audit, (record) => record.accountId !== null && isTold(record, books)).flatMap((record) =>
      record.accountId === null ? [] : [{ record, accountId: record.accountId }]
    )
