// All store ports over one set of books in memory, which ends with the layer.
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { layer as memoryBooks } from "./books/MemoryBooks.ts"
import { layer as apiKeys } from "./ports/access/ApiKeys.ts"
import { layer as boundCalls } from "./ports/access/BoundCalls.ts"
import { layer as grants } from "./ports/access/Grants.ts"
import { layer as catalogue } from "./ports/catalogue/Catalogue.ts"
import { layer as projects } from "./ports/catalogue/Projects.ts"
import { layer as billingIdentities } from "./ports/invoicing/BillingIdentities.ts"
import { layer as handOvers } from "./ports/invoicing/HandOvers.ts"
import { layer as invoices } from "./ports/invoicing/Invoices.ts"
import { layer as ownerMails } from "./ports/mails/OwnerMails.ts"
import { layer as auditLog } from "./ports/members/AuditLog.ts"
import { layer as challenges } from "./ports/members/Challenges.ts"
import { layer as factors } from "./ports/members/Factors.ts"
import { layer as invitations } from "./ports/members/Invitations.ts"
import { layer as members } from "./ports/members/Members.ts"
import { layer as reviewers } from "./ports/members/Reviewers.ts"
import { layer as sessions } from "./ports/members/Sessions.ts"
import { layer as activityLog } from "./ports/operations/ActivityLog.ts"
import { layer as agentActivity } from "./ports/operations/AgentActivity.ts"
import { layer as backup } from "./ports/operations/Backup.ts"
import { layer as readiness } from "./ports/operations/Readiness.ts"
import { layer as reconciliation } from "./ports/operations/Reconciliation.ts"
import { layer as retention } from "./ports/operations/Retention.ts"
import { layer as orderBook } from "./ports/ordering/OrderBook.ts"
import { layer as orders } from "./ports/ordering/Orders.ts"
import { layer as purchases } from "./ports/ordering/Purchases.ts"
import { layer as quotes } from "./ports/ordering/Quotes.ts"
import { layer as sweepLeases } from "./ports/ordering/SweepLeases.ts"
import { layer as promos } from "./ports/pricing/Promos.ts"
import { layer as sheets } from "./ports/pricing/Sheets.ts"
import { layer as topUps } from "./ports/wallet/TopUps.ts"
import { layer as wallets } from "./ports/wallet/Wallets.ts"
import { layer as deliveries } from "./ports/webhooks/Deliveries.ts"
import { layer as events } from "./ports/webhooks/Events.ts"
import { layer as subscriptions } from "./ports/webhooks/Subscriptions.ts"

/** Also provides the books themselves, whose `commits` publish every change. */
export const layer = Layer.mergeAll(
  orderBook,
  agentActivity,
  apiKeys,
  auditLog,
  billingIdentities,
  boundCalls,
  grants,
  handOvers,
  invoices,
  backup,
  catalogue,
  activityLog,
  purchases,
  quotes,
  sweepLeases,
  readiness,
  reconciliation,
  retention,
  orders,
  members,
  invitations,
  topUps,
  ownerMails,
  sessions,
  factors,
  challenges,
  reviewers,
  wallets,
  subscriptions,
  deliveries,
  events,
  projects,
  promos,
  sheets
).pipe(Layer.provideMerge(memoryBooks), Layer.provide(SecureRandom.layerWebCrypto))
