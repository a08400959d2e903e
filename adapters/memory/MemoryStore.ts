// All store ports over one set of books in memory, which ends with the layer.
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { layer as activityLog } from "./ActivityLog.ts"
import { layer as apiKeys } from "./ApiKeys.ts"
import { layer as approvalMails } from "./ApprovalMails.ts"
import { layer as auditLog } from "./AuditLog.ts"
import { layer as backup } from "./Backup.ts"
import { layer as billingIdentities } from "./BillingIdentities.ts"
import { layer as memoryBooks } from "./books/MemoryBooks.ts"
import { layer as catalogue } from "./Catalogue.ts"
import { layer as challenges } from "./Challenges.ts"
import { layer as deliveries } from "./Deliveries.ts"
import { layer as factors } from "./Factors.ts"
import { layer as grants } from "./Grants.ts"
import { layer as handOvers } from "./HandOvers.ts"
import { layer as invoices } from "./Invoices.ts"
import { layer as members } from "./Members.ts"
import { layer as orderBook } from "./OrderBook.ts"
import { layer as orders } from "./Orders.ts"
import { layer as projects } from "./Projects.ts"
import { layer as promos } from "./Promos.ts"
import { layer as purchaseMails } from "./PurchaseMails.ts"
import { layer as quotes } from "./Quotes.ts"
import { layer as readiness } from "./Readiness.ts"
import { layer as reconciliation } from "./Reconciliation.ts"
import { layer as retention } from "./Retention.ts"
import { layer as reviewers } from "./Reviewers.ts"
import { layer as sessions } from "./Sessions.ts"
import { layer as subscriptions } from "./Subscriptions.ts"
import { layer as topUps } from "./TopUps.ts"
import { layer as wallets } from "./Wallets.ts"

/** Also provides the books themselves, whose `commits` publish every change. */
export const layer = Layer.mergeAll(
  orderBook,
  apiKeys,
  auditLog,
  billingIdentities,
  grants,
  handOvers,
  invoices,
  backup,
  catalogue,
  activityLog,
  quotes,
  readiness,
  reconciliation,
  retention,
  orders,
  members,
  topUps,
  purchaseMails,
  approvalMails,
  sessions,
  factors,
  challenges,
  reviewers,
  wallets,
  subscriptions,
  deliveries,
  projects,
  promos
).pipe(Layer.provideMerge(memoryBooks), Layer.provide(SecureRandom.layerWebCrypto))
