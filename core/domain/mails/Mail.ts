// The mails that the service sends, as facts. The mail adapter has their texts.

import type { EmailSide } from "../members/EmailChange.ts"
import type { GivenRole } from "../members/Member.ts"
import type { Cents } from "../pricing/Money.ts"
import type { Millis } from "../shared/DecisionContext.ts"
import type { WaitingOrder } from "./ApprovalMail.ts"
import type { ExpiredOrder } from "./ExpiryMail.ts"
import type { PublishedLink } from "./LinkMail.ts"
import type { Notice } from "./NoticeMail.ts"
import type { Purchase } from "./PurchaseMail.ts"
import type { Receipt } from "./ReceiptMail.ts"
import type { PaidTopUp } from "./TopUpMail.ts"

export type Mail =
  /**
   * `accountName` is `null` where the link opens an account, or, where the address `isInvited`, may join one. `code`: six digits that do what the
   * link does, in the browser that asked.
   */
  | {
      readonly _tag: "SignInLink"
      readonly url: string
      readonly code: string
      readonly accountName: string | null
      readonly isInvited?: true
      readonly minutes: number
    }
  /** To a person who is no member yet. `inviter` is the address of the member who invites, `null` where an operator does. */
  | {
      readonly _tag: "Invitation"
      readonly accountName: string
      readonly inviter: string | null
      readonly email: string
      readonly role: GivenRole
      readonly url: string
      readonly expiresAtMs: Millis
    }
  /** To both mailboxes of a member whose address is to change: `url` leads to the page that confirms it, or, from the old one, refuses it. */
  | {
      readonly _tag: "EmailChange"
      readonly side: EmailSide
      readonly accountName: string
      readonly from: string
      readonly to: string
      readonly url: string
      readonly expiresAtMs: Millis
      /** The zone of the member; UTC unless given. */
      readonly timeZone?: string
    }
  | {
      readonly _tag: "FactorChanged"
      readonly accountName: string
      readonly email: string
      readonly change: "passkey_added" | "passkey_removed" | "totp_added" | "totp_removed"
      /** The page with the members of the account. */
      readonly url: string
    }
  /** What happened to the account; `url` leads to the page of it. */
  | {
      readonly _tag: "AccountNews"
      readonly accountName: string
      /** Oldest first; the first of `count`. */
      readonly notices: ReadonlyArray<Notice>
      readonly count: number
      readonly url: string
    }
  /** Orders wait for approval; `url` leads to the page of the order, or to the page that lists several, `stopUrl` to the page that stops all agents. */
  | {
      readonly _tag: "OrdersWaiting"
      readonly accountName: string
      /** The largest total first; the first of `count`. */
      readonly orders: ReadonlyArray<WaitingOrder>
      readonly count: number
      /** The total of all orders, and when the first of them expires. */
      readonly totalCents: Cents
      readonly firstExpiresAtMs: Millis
      /** The zone of its reader; UTC unless given. */
      readonly timeZone?: string
      readonly stopUrl: string
      readonly url: string
      readonly choicesUrl: string
    }
  /** Agents bought from credit; `stopUrl` leads to the page that stops all agents, `url` to the order or to the list of several, `invoicesUrl` to their invoices. */
  | {
      readonly _tag: "CreditPurchases"
      readonly accountName: string
      /** Oldest first; the first of `count`. */
      readonly purchases: ReadonlyArray<Purchase>
      readonly count: number
      /** The total of all purchases, not only of those shown. */
      readonly totalCents: Cents
      readonly stopUrl: string
      readonly url: string
      readonly invoicesUrl: string
      readonly choicesUrl: string
    }
  /** Links are online; `url` leads to the order, or to the list of several. */
  | {
      readonly _tag: "LinksOnline"
      readonly accountName: string
      /** Oldest first; the first of `count`. */
      readonly links: ReadonlyArray<PublishedLink>
      readonly count: number
      readonly url: string
      readonly choicesUrl: string
    }
  /** Approvals expired undecided; `url` leads to the quote, or to the list of several. */
  | {
      readonly _tag: "ApprovalsExpired"
      readonly accountName: string
      /** Oldest first; the first of `count`. */
      readonly expiries: ReadonlyArray<ExpiredOrder>
      readonly count: number
      readonly url: string
      readonly choicesUrl: string
    }
  /** People paid for orders; `url` leads to the order, or to the list of several, `invoiceUrl` to the invoice or theirs. */
  | {
      readonly _tag: "OrdersPaid"
      readonly accountName: string
      /** Oldest first; the first of `count`. */
      readonly receipts: ReadonlyArray<Receipt>
      readonly count: number
      readonly totalCents: Cents
      readonly url: string
      readonly invoiceUrl: string
      readonly choicesUrl: string
    }
  /** Top-ups were paid; `url` leads to the credit, `receiptUrl` to the receipt, or to the list of several. */
  | {
      readonly _tag: "TopUpsPaid"
      readonly accountName: string
      /** Oldest first; the first of `count`. */
      readonly topUps: ReadonlyArray<PaidTopUp>
      readonly count: number
      readonly totalCents: Cents
      /** The zone of its reader; UTC unless given. */
      readonly timeZone?: string
      readonly url: string
      readonly receiptUrl: string
      readonly choicesUrl: string
    }
