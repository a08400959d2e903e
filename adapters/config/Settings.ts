// Every setting of the service, read once. The README documents names and defaults; an invalid value stops the start with an error
// that names the setting. Secrets stay redacted.
import { Config, Duration, Option, type Redacted } from "effect"
import { SERVICE_NAME } from "#adapters/contract/shared/ServiceDescription.ts"
import type { RetentionSpans } from "#core/domain/operations/Retention.ts"
import { defaultShopSettings, type ShopSettings } from "#core/domain/ShopSettings.ts"
import {
  count,
  duration,
  encryptionKey,
  eurAsCents,
  onOff,
  operatorToken,
  origin,
  origins,
  otlpEndpoint,
  percent,
  poolSize,
  port,
  serviceName,
  shelfDays,
  tier2Prices
} from "./ConfigSchemas.ts"
import { type DatabaseAddress, databaseUrl } from "./DatabaseUrl.ts"
import { type DirectorySettings, directorySettings } from "./DirectorySettings.ts"
import { type MemberSettings, memberSettings, trustedProxies } from "./MemberSettings.ts"
import { type OAuthSettings, oauthSettings } from "./OAuthSettings.ts"
import { type OperatorToken, operatorTokens } from "./OperatorTokens.ts"
import { type OutletSettings, outlet } from "./OutletSettings.ts"
import { retentionDays } from "./RetentionDays.ts"
import { type SellerSettings, seller } from "./SellerSettings.ts"
import { type StripeSettings, stripe } from "./StripeSettings.ts"

const terms: Config.Config<ShopSettings> = Config.all({
  welcomePercent: percent("WELCOME_OFFER_PERCENT").pipe(Config.withDefault(20)),
  tier2PricesCents: tier2Prices("TIER2_PRICES_EUR").pipe(Config.withDefault({ 1: 400, 3: 1_000, 5: 1_500 })),
  turnaroundDays: shelfDays("TURNAROUND_DAYS").pipe(Config.withDefault(defaultShopSettings.turnaroundDays)),
  cardMinimumCents: eurAsCents("CARD_MINIMUM_EUR").pipe(Config.withDefault(defaultShopSettings.cardMinimumCents)),
  cardMaximumCents: eurAsCents("CARD_MAXIMUM_EUR").pipe(Config.withDefault(defaultShopSettings.cardMaximumCents)),
  quoteTtl: duration("QUOTE_TTL", "24 hours", "1 second", "365 days"),
  dailyOrderCap: count("DAILY_ORDER_CAP", defaultShopSettings.dailyOrderCap),
  openArticlesMax: count("OPEN_ARTICLES_MAX", defaultShopSettings.openArticlesMax),
  openCodeUsesMax: count("OPEN_CODE_USES_MAX", defaultShopSettings.openCodeUsesMax),
  fulfilment: Config.Literals(["auto", "manual"], "FULFILMENT").pipe(Config.withDefault("auto" as const))
}).pipe(
  Config.map(({ welcomePercent, quoteTtl, ...rest }) => ({
    ...rest,
    welcomeBasisPoints: Math.round(welcomePercent * 100),
    quoteTtlMs: Duration.toMillis(quoteTtl)
  }))
)

/** Settings of both servers: the service and the standalone MCP server. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  /** Open connections of the process; 0 is off. */
  readonly connectionsMax: number
  /** The base of links; without it, the address the server listens on. */
  readonly publicUrl: Option.Option<string>
  /** Whether MCP clients may send their key as `?key=`. */
  readonly mcpQueryKey: boolean
  readonly mcpAllowedOrigins: ReadonlyArray<string>
  /** Where users reach the operator: an address or a URL, shown by the MCP tool `about`. */
  readonly supportContact: Option.Option<string>
  readonly logFormat: Option.Option<"pretty" | "json">
  readonly logLevel: "trace" | "debug" | "info" | "warn" | "error" | "none"
}

const server = {
  host: Config.NonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: port("PORT").pipe(Config.withDefault(3_000)),
  connectionsMax: count("CONNECTIONS_MAX", 5_000),
  publicUrl: Config.option(origin("PUBLIC_URL")),
  mcpQueryKey: onOff("MCP_QUERY_KEY", "on"),
  mcpAllowedOrigins: origins("MCP_ALLOWED_ORIGINS").pipe(Config.withDefault([])),
  supportContact: Config.option(Config.NonEmptyString("SUPPORT_CONTACT")),
  logFormat: Config.option(Config.Literals(["pretty", "json"], "LOG_FORMAT")),
  logLevel: Config.Literals(["trace", "debug", "info", "warn", "error", "none"], "LOG_LEVEL").pipe(
    Config.withDefault("info" as const)
  )
}

export interface Settings extends ServerSettings {
  readonly store: "memory" | "embedded" | "postgres"
  /** Where the embedded database keeps its data. */
  readonly dataDir: string
  /** Required by `postgres`. */
  readonly databaseUrl: Option.Option<DatabaseAddress>
  /** Connections to the database, per instance. */
  readonly databasePool: number
  readonly demo: boolean
  /** Whether sites are named to everyone: on with demo data unless said otherwise. */
  readonly publicCatalogue: boolean
  /** `None` when not set: then payments are simulated, which production refuses. */
  readonly payments: Option.Option<"simulated" | "stripe">
  readonly stripe: StripeSettings
  readonly terms: ShopSettings
  /** Who invoices. */
  readonly seller: SellerSettings
  /** Where issued documents are handed over. */
  readonly outlet: OutletSettings
  /** On every page and in every mail. */
  readonly serviceName: string
  readonly members: MemberSettings
  /** For directories that list the service. */
  readonly directories: DirectorySettings
  readonly oauth: OAuthSettings
  readonly readsPerMinute: number
  readonly ordersPerMinute: number
  readonly sweepInterval: Duration.Duration
  /** How long finished records are kept. */
  readonly retention: RetentionSpans
  /** Either of both enables the operator plane. */
  readonly operatorToken: Option.Option<Redacted.Redacted<string>>
  /** Required by a scrape of `/metrics`. */
  readonly metricsToken: Option.Option<Redacted.Redacted<string>>
  readonly operatorTokens: ReadonlyArray<OperatorToken>
  readonly encryptionKey: Option.Option<Redacted.Redacted<string>>
  /** Still opens what it sealed, until all of it is sealed under `encryptionKey`. */
  readonly encryptionKeyPrevious: Option.Option<Redacted.Redacted<string>>
  readonly webhookInsecureTargets: boolean
  /** Where traces are sent; without it, tracing is off. */
  readonly otlpEndpoint: Option.Option<string>
  readonly production: boolean
}

export const settings: Config.Config<Settings> = Config.all({
  ...server,
  chosenStore: Config.option(Config.Literals(["memory", "embedded", "postgres"], "STORE")),
  dataDir: Config.NonEmptyString("DATA_DIR").pipe(Config.withDefault("./.data")),
  databaseUrl: Config.option(databaseUrl("DATABASE_URL")),
  databasePool: poolSize("DATABASE_POOL").pipe(Config.withDefault(10)),
  demo: onOff("DEMO", "on"),
  chosenCatalogue: Config.option(Config.Literals(["on", "off"], "PUBLIC_CATALOGUE")),
  payments: Config.option(Config.Literals(["simulated", "stripe"], "PAYMENTS")),
  stripe,
  seller,
  outlet,
  terms,
  serviceName: serviceName("SERVICE_NAME").pipe(Config.withDefault(SERVICE_NAME)),
  members: memberSettings,
  directories: directorySettings,
  oauth: oauthSettings,
  readsPerMinute: count("RATE_LIMIT_READS", 600),
  ordersPerMinute: count("RATE_LIMIT_ORDERS", 120),
  sweepInterval: duration("SWEEP_INTERVAL", "30 seconds", "1 millis", "1 hour"),
  retention: retentionDays("RETENTION_DAYS"),
  operatorToken: Config.option(operatorToken("OPERATOR_TOKEN")),
  metricsToken: Config.option(operatorToken("METRICS_TOKEN")),
  operatorTokens: operatorTokens("OPERATOR_TOKENS"),
  encryptionKey: Config.option(encryptionKey("ENCRYPTION_KEY")),
  encryptionKeyPrevious: Config.option(encryptionKey("ENCRYPTION_KEY_PREVIOUS")),
  webhookInsecureTargets: Config.Boolean("WEBHOOK_INSECURE_TARGETS").pipe(Config.withDefault(false)),
  otlpEndpoint: Config.option(otlpEndpoint("OTEL_EXPORTER_OTLP_ENDPOINT")),
  production: Config.String("NODE_ENV").pipe(
    Config.withDefault(""),
    Config.map((environment) => environment === "production")
  )
}).pipe(
  Config.map(({ chosenStore, chosenCatalogue, ...rest }) => {
    // A configured database is used unless STORE says otherwise.
    const byDefault = Option.isSome(rest.databaseUrl) ? "postgres" : "embedded"
    const store = Option.getOrElse(chosenStore, () => byDefault)
    // The demo's keys are public: they are never written to a shared database.
    const demo = rest.demo && store !== "postgres"
    const publicCatalogue = Option.match(chosenCatalogue, { onNone: () => demo, onSome: (chosen) => chosen === "on" })
    return { ...rest, store, demo, publicCatalogue }
  })
)

/** Settings of the standalone MCP server. */
export interface McpSettings extends ServerSettings {
  /** The origin of the API that it calls. */
  readonly apiUrl: string
  /** The key for stdio, where there is a single caller. */
  readonly apiKey: Option.Option<Redacted.Redacted<string>>
  readonly trustedProxies: MemberSettings["trustedProxies"]
}

export const mcpSettings: Config.Config<McpSettings> = Config.all({
  ...server,
  apiUrl: origin("API_URL"),
  apiKey: Config.option(Config.Redacted("API_KEY")),
  trustedProxies
})
