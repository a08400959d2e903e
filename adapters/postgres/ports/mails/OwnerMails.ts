// Mails to owners in PostgreSQL.
import { OwnerMails } from "#core/ports/mails/OwnerMails.ts"
import { overDatabase } from "../../database/Database.ts"
import { approvalMails } from "./ApprovalMails.ts"
import { expiryMails, linkMails } from "./LinkMails.ts"
import { mailChoices } from "./MailChoices.ts"
import { noticeMails } from "./NoticeMails.ts"
import { purchaseMails } from "./PurchaseMails.ts"
import { receiptMails, topUpMails } from "./ReceiptMails.ts"

export const layer = overDatabase(OwnerMails, (database) => ({
  approvals: approvalMails(database),
  purchases: purchaseMails(database),
  notices: noticeMails(database),
  links: linkMails(database),
  expiries: expiryMails(database),
  receipts: receiptMails(database),
  topUps: topUpMails(database),
  ...mailChoices(database)
}))
