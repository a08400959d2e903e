// One mail of each kind, and of each size that looks different.
import type { Mail } from "#core/domain/mails/Mail.ts"
import { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"

const base = "https://shop.example/account"
const accountName = "Willow & Spade"
const atMs = Date.UTC(2026, 10, 28, 12, 15)

const links = ["copperleaf-review.example", "northwind-notes.example", "garden-post.example", "soil.example"].map(
  (domain) => ({ domain, targetUrl: "https://willow-and-spade.example/spring", netCents: 700 })
)

const waiting = {
  quoteId: QuoteId.make("q_sample"),
  credential: "Gardener Desktop",
  totalCents: 2_800,
  expiresAtMs: atMs,
  links
}

const bought = {
  orderId: OrderId.make("ord_sample"),
  credential: "Claude for Willow",
  totalCents: 1_400,
  approvedBy: null,
  links: links.slice(0, 2)
}

export const sampleMails: Readonly<Record<string, Mail>> = {
  "sign-in": { _tag: "SignInLink", url: `${base}/sign-in?token=t0ken`, code: "048213", accountName, minutes: 15 },
  "sign-up": { _tag: "SignInLink", url: `${base}/sign-in?token=t0ken`, code: "048213", accountName: null, minutes: 15 },
  "sign-in-invited": {
    _tag: "SignInLink",
    url: `${base}/sign-in?token=t0ken`,
    code: "048213",
    accountName: null,
    isInvited: true,
    minutes: 15
  },
  invitation: {
    _tag: "Invitation",
    accountName,
    inviter: "ada@willow-and-spade.example",
    email: "bo@willow-and-spade.example",
    role: "viewer",
    url: `${base}/invitation?token=t0ken`,
    expiresAtMs: atMs
  },
  factor: { _tag: "FactorChanged", accountName, email: "ada@willow-and-spade.example", change: "passkey_added" },
  approval: {
    _tag: "OrdersWaiting",
    accountName,
    orders: [waiting],
    count: 1,
    totalCents: 2_800,
    firstExpiresAtMs: atMs,
    url: `${base}/approvals/q_sample`
  },
  approvals: {
    _tag: "OrdersWaiting",
    accountName,
    orders: [waiting, { ...waiting, credential: "Price watcher", totalCents: 1_234_500 }],
    count: 24,
    totalCents: 1_237_300,
    firstExpiresAtMs: atMs,
    url: base
  },
  purchase: {
    _tag: "CreditPurchases",
    accountName,
    purchases: [bought],
    count: 1,
    totalCents: 1_400,
    stopUrl: `${base}/stop`,
    url: base
  },
  "purchase-approved": {
    _tag: "CreditPurchases",
    accountName,
    purchases: [{ ...bought, approvedBy: "ada@willow-and-spade.example" }],
    count: 1,
    totalCents: 1_400,
    stopUrl: `${base}/stop`,
    url: base
  }
}
