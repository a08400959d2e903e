// All store ports over one PostgreSQL database, which is migrated first.
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Backup } from "#core/ports/Backup.ts"
import type { Reconciliation } from "#core/ports/Reconciliation.ts"
import { layer as activityLog } from "./ActivityLog.ts"
import { layer as apiKeyCache } from "./ApiKeyCache.ts"
import { layer as apiKeys } from "./ApiKeys.ts"
import { layer as approvalMails } from "./ApprovalMails.ts"
import { layer as auditLog } from "./AuditLog.ts"
import { layer as backup } from "./Backup.ts"
import { layer as billingIdentities } from "./BillingIdentities.ts"
import { layer as catalogue } from "./Catalogue.ts"
import { layer as catalogueVersion } from "./CatalogueVersion.ts"
import { layer as challenges } from "./Challenges.ts"
import { layer as deliveries, workerStatements } from "./Deliveries.ts"
import { type Database, type DatabaseOptions, layer as database } from "./database/Database.ts"
import { layer as deliveryNotifications } from "./database/DeliveryNotifications.ts"
import { type MigrationFault, migrate } from "./database/Migrations.ts"
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
import { layer as retention, retentionStatements } from "./Retention.ts"
import { layer as reviewers } from "./Reviewers.ts"
import { layer as sessions } from "./Sessions.ts"
import { layer as subscriptions } from "./Subscriptions.ts"
import { layer as topUps } from "./TopUps.ts"
import { layer as wallets } from "./Wallets.ts"

const ports = Layer.mergeAll(
  activityLog,
  apiKeys,
  auditLog,
  billingIdentities,
  grants,
  handOvers,
  invoices,
  catalogue,
  deliveries,
  orderBook,
  orders,
  members,
  topUps,
  purchaseMails,
  approvalMails,
  sessions,
  factors,
  challenges,
  reviewers,
  projects,
  promos,
  quotes,
  readiness,
  retention,
  subscriptions,
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
