// The mails that the service sends, as facts. The mail adapter has their texts.

import type { Cents } from "../pricing/Money.ts"
import type { WaitingOrder } from "./ApprovalMail.ts"
import type { Purchase } from "./PurchaseMail.ts"

export type Mail =
  /** `accountName` is `null` where the link opens an account. */
  | { readonly _tag: "SignInLink"; readonly url: string; readonly accountName: string | null; readonly minutes: number }
  | {
      readonly _tag: "FactorChanged"
      readonly accountName: string
      readonly email: string
      readonly change: "passkey_added" | "passkey_removed" | "totp_added" | "totp_removed"
    }
  /** Orders wait for approval; `url` leads to the page of the order, or to the page that lists several. */
  | {
      readonly _tag: "OrdersWaiting"
      readonly accountName: string
      /** Oldest first; the first of `count`. */
      readonly orders: ReadonlyArray<WaitingOrder>
      readonly count: number
      readonly url: string
    }
  /** Agents bought from credit; `stopUrl` leads to the page that stops all agents. */
  | {
      readonly _tag: "CreditPurchases"
      readonly accountName: string
      /** Oldest first; the first of `count`. */
      readonly purchases: ReadonlyArray<Purchase>
      readonly count: number
      /** The total of all purchases, not only of those shown. */
      readonly totalCents: Cents
      readonly stopUrl: string
    }
