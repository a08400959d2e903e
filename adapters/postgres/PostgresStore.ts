// All store ports over one PostgreSQL database, which is migrated first.
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Backup } from "#core/ports/operations/Backup.ts"
import type { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { type Database, type DatabaseOptions, layer as database } from "./database/Database.ts"
import { layer as deliveryNotifications } from "./database/DeliveryNotifications.ts"
import { type MigrationFault, migrate } from "./database/Migrations.ts"
import { layer as apiKeyCache } from "./ports/access/ApiKeyCache.ts"
import { layer as apiKeys } from "./ports/access/ApiKeys.ts"
import { layer as boundCalls } from "./ports/access/BoundCalls.ts"
import { layer as grants } from "./ports/access/Grants.ts"
import { layer as catalogue } from "./ports/catalogue/Catalogue.ts"
import { layer as catalogueVersion } from "./ports/catalogue/CatalogueVersion.ts"
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
import { layer as retention, retentionStatements } from "./ports/operations/Retention.ts"
import { layer as orderBook } from "./ports/ordering/OrderBook.ts"
import { layer as orders } from "./ports/ordering/Orders.ts"
import { layer as purchases } from "./ports/ordering/Purchases.ts"
import { layer as quotes } from "./ports/ordering/Quotes.ts"
import { layer as sweepLeases } from "./ports/ordering/SweepLeases.ts"
import { layer as promos } from "./ports/pricing/Promos.ts"
import { layer as sheets } from "./ports/pricing/Sheets.ts"
import { layer as topUps } from "./ports/wallet/TopUps.ts"
import { layer as wallets } from "./ports/wallet/Wallets.ts"
import { layer as deliveries, workerStatements } from "./ports/webhooks/Deliveries.ts"
import { layer as events } from "./ports/webhooks/Events.ts"
import { layer as subscriptions } from "./ports/webhooks/Subscriptions.ts"

const ports = Layer.mergeAll(
  activityLog,
  agentActivity,
  apiKeys,
  auditLog,
  billingIdentities,
  boundCalls,
  grants,
  handOvers,
  invoices,
  catalogue,
  deliveries,
  events,
  orderBook,
  orders,
  members,
  invitations,
  topUps,
  ownerMails,
  sessions,
  factors,
  challenges,
  reviewers,
  projects,
  promos,
  sheets,
  purchases,
  quotes,
  readiness,
  retention,
  subscriptions,
  sweepLeases,
  wallets
).pipe(Layer.provide([deliveryNotifications, apiKeyCache, catalogueVersion]))

export type StorePorts = Layer.Success<typeof ports> | Backup | Reconciliation

/** Several instances may share a database and start at the same time. Also provides the `Database`. */
export const layer = (options: DatabaseOptions): Layer.Layer<StorePorts | Database, MigrationFault> =>
  Layer.mergeAll(
    ports,
    backup(options),
    reconciliation(options),
    Layer.effectDiscard(migrate([...workerStatements, ...retentionStatements]))
  ).pipe(Layer.provideMerge(database(options)), Layer.provide(SecureRandom.layerWebCrypto))
