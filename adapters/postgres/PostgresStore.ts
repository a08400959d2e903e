// All store ports over one PostgreSQL database, which is migrated first.
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlError } from "effect/sql/SqlError"
import type { ActivityLog } from "#core/ports/ActivityLog.ts"
import type { ApiKeys } from "#core/ports/ApiKeys.ts"
import type { AuditLog } from "#core/ports/AuditLog.ts"
import type { Catalogue } from "#core/ports/Catalogue.ts"
import type { Deliveries } from "#core/ports/Deliveries.ts"
import type { OrderBook } from "#core/ports/OrderBook.ts"
import type { Orders } from "#core/ports/Orders.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import type { Projects } from "#core/ports/Projects.ts"
import type { Promos } from "#core/ports/Promos.ts"
import type { Quotes } from "#core/ports/Quotes.ts"
import type { Readiness } from "#core/ports/Readiness.ts"
import type { Reconciliation } from "#core/ports/Reconciliation.ts"
import type { Subscriptions } from "#core/ports/Subscriptions.ts"
import type { Wallets } from "#core/ports/Wallets.ts"
import { layer as happenings } from "./ActivityLog.ts"
import { layer as apiKeyCache } from "./ApiKeyCache.ts"
import { layer as keyRing } from "./ApiKeys.ts"
import { layer as auditLog } from "./AuditLog.ts"
import { layer as catalogue } from "./Catalogue.ts"
import { layer as deliveries } from "./Deliveries.ts"
import { type Database, type DatabaseOptions, layer as database } from "./database/Database.ts"
import { layer as deliveryNotifications } from "./database/DeliveryNotifications.ts"
import { type DatabaseReadOnly, type DatabaseTooNew, migrate } from "./database/Migrations.ts"
import { layer as orderBook } from "./OrderBook.ts"
import { layer as orders } from "./Orders.ts"
import { layer as projects } from "./Projects.ts"
import { layer as promos } from "./Promos.ts"
import { layer as quotes } from "./Quotes.ts"
import { layer as readiness } from "./Readiness.ts"
import { layer as reconciliation } from "./Reconciliation.ts"
import { layer as subscriptions } from "./Subscriptions.ts"
import { layer as wallets } from "./Wallets.ts"

export type StorePorts =
  | AuditLog
  | Catalogue
  | Deliveries
  | ActivityLog
  | ApiKeys
  | OrderBook
  | Orders
  | Projects
  | Promos
  | Quotes
  | Readiness
  | Reconciliation
  | Subscriptions
  | Wallets

const ports = Layer.mergeAll(
  auditLog,
  happenings,
  orderBook,
  keyRing,
  catalogue,
  quotes,
  readiness,
  orders,
  wallets,
  subscriptions,
  deliveries,
  projects,
  promos
).pipe(Layer.provide([deliveryNotifications, apiKeyCache]))

/** Several instances may share a database and start at the same time. Also provides the `Database`. */
export const layer = (
  options: DatabaseOptions
): Layer.Layer<StorePorts | Database, DatabaseReadOnly | DatabaseTooNew | SqlError | StoreUnavailable> =>
  Layer.mergeAll(ports, reconciliation(options), Layer.effectDiscard(migrate)).pipe(
    Layer.provideMerge(database(options)),
    Layer.provide(SecureRandom.layerWebCrypto)
  )
