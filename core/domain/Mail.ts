// The mails that the service sends, as facts. The mail adapter has their texts.
import type { Cents } from "./Money.ts"

export type Mail =
  /** `accountName` is `null` where the link opens an account. */
  | { readonly _tag: "SignInLink"; readonly url: string; readonly accountName: string | null; readonly minutes: number }
  | {
      readonly _tag: "FactorChanged"
      readonly accountName: string
      readonly email: string
      readonly change: "passkey_added" | "passkey_removed" | "totp_added" | "totp_removed"
    }
  /** An agent bought from credit; `stopUrl` leads to the page that stops all agents. */
  | {
      readonly _tag: "CreditPurchase"
      readonly accountName: string
      readonly orderId: string
      readonly credential: string
      readonly totalCents: Cents
      readonly links: ReadonlyArray<{ readonly domain: string; readonly targetUrl: string; readonly netCents: Cents }>
      readonly stopUrl: string
    }
