// Every setting of the service, read once. Names and defaults are the README's table; a value that makes no sense stops the
// start with an error that names it. Secrets stay redacted.
import { Config, Duration, Option, type Redacted, Schema, SchemaTransformation } from "effect"
import { defaultShopSettings, type ShopSettings } from "#core/domain/ShopSettings.ts"
import { count, duration, Percent, PoolSize, Port } from "./ConfigSchemas.ts"
import { isEncryptionKey } from "./EncryptionKey.ts"
import { type StripeSettings, stripe } from "./StripeSettings.ts"

/** An amount in euros such as 4, 0.5 or 10.00, as whole cents. */
const EurAsCents = Schema.String.check(
  Schema.isPattern(/^\s*\d{1,7}(\.\d{1,2})?\s*$/, { message: "must be an amount in euros such as 4 or 0.50" })
).pipe(
  Schema.decodeTo(
    Schema.Int,
    SchemaTransformation.transform({
      decode: (eur) => Math.round(Number(eur) * 100),
      encode: (cents) => (cents / 100).toFixed(2)
    })
  )
)

/** Prices of packs of 1, 3 and 5 tier-2 links, in that order: `4,10,15`. */
const Tier2Prices = Schema.String.check(
  Schema.isPattern(/^[^,]*,[^,]*,[^,]*$/, {
    message: "must be three amounts in euros, for 1, 3 and 5 links, such as 4,10,15"
  })
).pipe(
  Schema.decodeTo(
    Schema.Tuple([EurAsCents, EurAsCents, EurAsCents]),
    SchemaTransformation.transform({
      // Of texts with any other number of parts none comes this far.
      decode: (text) => text.split(",") as unknown as readonly [string, string, string],
      encode: (prices) => prices.join(",")
    })
  )
)

const onOff = (name: string, fallback: "on" | "off") =>
  Config.Literals(["on", "off"], name).pipe(
    Config.withDefault(fallback),
    Config.map((value) => value === "on")
  )

const terms: Config.Config<ShopSettings> = Config.all({
  welcomePercent: Config.schema(Percent, "WELCOME_OFFER_PERCENT").pipe(Config.withDefault(20)),
  tier2: Config.schema(Tier2Prices, "TIER2_PRICES_EUR").pipe(Config.withDefault([400, 1_000, 1_500] as const)),
  cardMinimumCents: Config.schema(EurAsCents, "CARD_MINIMUM_EUR").pipe(
    Config.withDefault(defaultShopSettings.cardMinimumCents)
  ),
  quoteTtl: duration("QUOTE_TTL", "24 hours", "1 second", "365 days"),
  dailyOrderCap: count("DAILY_ORDER_CAP", defaultShopSettings.dailyOrderCap),
  fulfilment: Config.Literals(["auto", "manual"], "FULFILMENT").pipe(Config.withDefault("auto" as const))
}).pipe(
  Config.map(({ welcomePercent, tier2: [one, three, five], quoteTtl, ...rest }) => ({
    ...rest,
    welcomeBasisPoints: Math.round(welcomePercent * 100),
    tier2PricesCents: { 1: one, 3: three, 5: five },
    quoteTtlMs: Duration.toMillis(quoteTtl)
  }))
)

const EncryptionKey = Schema.Redacted(
  Schema.String.check(
    Schema.makeFilter(isEncryptionKey, {
      message: "must be 32 bytes in base64, such as `openssl rand -base64 32` prints"
    })
  )
)

/** Refused here, where it is not repeated: what the driver says of one that is no URL may hold its password. */
const DatabaseUrl = Schema.Redacted(
  Schema.String.check(
    Schema.makeFilter((text) => /^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? ""), {
      message:
        "must be a URL such as postgres://user:password@host:5432/backlinks, with what is special in it percent-encoded"
    })
  )
)

/** A secret that people make up: long enough not to be guessed, fit for a header, and never a key that somebody else has. */
const OperatorToken = Schema.Redacted(
  Schema.String.check(
    Schema.makeFilter((token) => /^[\x21-\x7e]{16,1000}$/.test(token) && !/^sn_(?:live|test)_/.test(token), {
      message:
        "must be at least 16 visible ASCII characters without spaces, such as `openssl rand -hex 32` prints, and no API key"
    })
  )
)

const Origin = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^/?#\s]+\/?$/, { message: "must be an origin such as https://links.example.com" })
).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({ decode: (url) => url.replace(/\/$/, ""), encode: (origin) => origin })
  )
)

/** Where `/v1/traces` is found, with a path before it or without. */
const OtlpEndpoint = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/, {
    message: "must be an address such as http://127.0.0.1:4318"
  })
).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({ decode: (url) => url.replace(/\/+$/, ""), encode: (endpoint) => endpoint })
  )
)

/** Origins with commas between them. */
const Origins = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Array(Origin),
    SchemaTransformation.transform({
      decode: (text: string): ReadonlyArray<string> => text.split(/[,\s]+/).filter((part) => part !== ""),
      encode: (origins: ReadonlyArray<string>) => origins.join(",")
    })
  )
)

/** What every server of ours has: an address, a voice, and who may talk MCP to it. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  /** What links are built from; without it, the address that is listened on. */
  readonly publicUrl: Option.Option<string>
  /** Whether MCP clients may send their key as `?key=`. */
  readonly mcpQueryKey: boolean
  readonly mcpAllowedOrigins: ReadonlyArray<string>
  readonly logFormat: Option.Option<"pretty" | "json">
  readonly logLevel: "trace" | "debug" | "info" | "warn" | "error" | "none"
}

const server = {
  host: Config.NonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.schema(Port, "PORT").pipe(Config.withDefault(3_000)),
  publicUrl: Config.option(Config.schema(Origin, "PUBLIC_URL")),
  mcpQueryKey: onOff("MCP_QUERY_KEY", "on"),
  mcpAllowedOrigins: Config.schema(Origins, "MCP_ALLOWED_ORIGINS").pipe(Config.withDefault([])),
  logFormat: Config.option(Config.Literals(["pretty", "json"], "LOG_FORMAT")),
  logLevel: Config.Literals(["trace", "debug", "info", "warn", "error", "none"], "LOG_LEVEL").pipe(
    Config.withDefault("info" as const)
  )
}

export interface Settings extends ServerSettings {
  readonly store: "memory" | "embedded" | "postgres"
  /** Where the embedded database keeps its data. */
  readonly dataDir: string
  /** Wanted by `postgres`. */
  readonly databaseUrl: Option.Option<Redacted.Redacted<string>>
  /** Connections to the database, per instance. */
  readonly databasePool: number
  readonly demo: boolean
  /** `None` where nobody asked for one by name: then it is the simulated one, and not in production. */
  readonly payments: Option.Option<"simulated" | "stripe">
  readonly stripe: StripeSettings
  readonly terms: ShopSettings
  readonly readsPerMinute: number
  readonly ordersPerMinute: number
  readonly sweepInterval: Duration.Duration
  /** Opens the operator plane, which is not there without it. */
  readonly operatorToken: Option.Option<Redacted.Redacted<string>>
  readonly encryptionKey: Option.Option<Redacted.Redacted<string>>
  readonly webhookInsecureTargets: boolean
  /** Where traces are sent; without it nothing is traced. */
  readonly otlpEndpoint: Option.Option<string>
  readonly production: boolean
}

export const settings: Config.Config<Settings> = Config.all({
  ...server,
  chosenStore: Config.option(Config.Literals(["memory", "embedded", "postgres"], "STORE")),
  dataDir: Config.NonEmptyString("DATA_DIR").pipe(Config.withDefault("./.data")),
  databaseUrl: Config.option(Config.schema(DatabaseUrl, "DATABASE_URL")),
  databasePool: Config.schema(PoolSize, "DATABASE_POOL").pipe(Config.withDefault(10)),
  demo: onOff("DEMO", "on"),
  payments: Config.option(Config.Literals(["simulated", "stripe"], "PAYMENTS")),
  stripe,
  terms,
  readsPerMinute: count("RATE_LIMIT_READS", 600),
  ordersPerMinute: count("RATE_LIMIT_ORDERS", 120),
  sweepInterval: duration("SWEEP_INTERVAL", "30 seconds", "1 millis", "1 hour"),
  operatorToken: Config.option(Config.schema(OperatorToken, "OPERATOR_TOKEN")),
  encryptionKey: Config.option(Config.schema(EncryptionKey, "ENCRYPTION_KEY")),
  webhookInsecureTargets: Config.Boolean("WEBHOOK_INSECURE_TARGETS").pipe(Config.withDefault(false)),
  otlpEndpoint: Config.option(Config.schema(OtlpEndpoint, "OTEL_EXPORTER_OTLP_ENDPOINT")),
  production: Config.String("NODE_ENV").pipe(
    Config.withDefault(""),
    Config.map((environment) => environment === "production")
  )
}).pipe(
  Config.map(({ chosenStore, ...rest }) => {
    // A database that is named is meant to be used.
    const byDefault = Option.isSome(rest.databaseUrl) ? "postgres" : "embedded"
    const store = Option.getOrElse(chosenStore, () => byDefault)
    // The demo's keys are public: they never get into a database that somebody else runs.
    return { ...rest, store, demo: rest.demo && store !== "postgres" }
  })
)

/** The MCP server when it runs alone. */
export interface McpSettings extends ServerSettings {
  /** The one API that it relays to. */
  readonly apiUrl: string
  /** Whose key it uses where there is only one caller, over standard input and output. */
  readonly apiKey: Option.Option<Redacted.Redacted<string>>
}

export const mcpSettings: Config.Config<McpSettings> = Config.all({
  ...server,
  apiUrl: Config.schema(Origin, "API_URL"),
  apiKey: Config.option(Config.Redacted("API_KEY"))
})
