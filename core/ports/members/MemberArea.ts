// What the composition root tells use cases of the member area: who may open accounts, and the addresses of its pages for mails.
import { Context } from "effect"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { InvoiceId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"

export class MemberArea extends Context.Service<
  MemberArea,
  {
    /** `open`: the first sign-in of an unknown address opens an account. */
    readonly signUp: "open" | "closed"
    /** The page that shows the button which uses this link. */
    readonly signInPage: (token: string) => string
    /** The page that shows the button which accepts this invitation. */
    readonly invitationPage: (token: string) => string
    /** The page that confirms or refuses a change of address. */
    readonly emailChangePage: (token: string) => string
    /** The page of a top-up at the simulated processor, and where the processor sends the payer back to. */
    readonly topUpPage: (paymentToken: string) => string
    /** The page on which an owner tops up, with this amount filled in; `null` where people do not sign in. */
    readonly topUpForm: ((cents: Cents) => string) | null
    /** The page with the members of the account, and who is invited. */
    readonly settingsPage: string
    /** The page of what was done in the account, by whom. */
    readonly activityPage: string
    /** The page with the button that stops all agents. */
    readonly stopPage: string
    /** The page that says what to do if an account was closed by mistake; it needs no sign-in. */
    readonly closedPage: string
    readonly overviewPage: string
    /** The page that lists what waits for approval. */
    readonly approvalsPage: string
    /** The page on which members choose which mails they get. */
    readonly mailsPage: string
    readonly creditPage: string
    readonly ordersPage: string
    readonly orderPage: (orderId: OrderId) => string
    /** The page that lists the links that went online in the last 7 days. */
    readonly linksPage: string
    /** The page that lists what waits for approval or payment, and what expired. */
    readonly quotesPage: string
    readonly quotePage: (quoteId: QuoteId) => string
    readonly invoicesPage: string
    readonly invoicePage: (invoiceId: InvoiceId) => string
  }
>()("backlinks/ports/members/MemberArea") {}
