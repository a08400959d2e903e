// Invalid settings stop the start with a sentence that names them. Otherwise some would mean "no limit", a quote that expires at once,
// or an unusable encryption key.
import { ConfigProvider, Duration, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { configErrorMessage } from "#adapters/config/ConfigErrorMessage.ts"
import { mcpSettings, settings } from "#adapters/config/Settings.ts"
import { defaultRetentionSpans } from "#core/domain/operations/Retention.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"

type Env = Readonly<Record<string, string>>

const read = (env: Env) => settings.parse(ConfigProvider.fromUnknown(env))

const errorOf = (env: Env) => Effect.runSync(Effect.flip(read(env)))

describe("an invalid setting", () => {
  it.each([
    ["DAILY_ORDER_CAP", " ", "must be a whole number"],
    ["OPEN_ARTICLES_MAX", "-1", "must be a whole number"],
    ["OPEN_CODE_USES_MAX", "1.5", "must be a whole number"],
    ["RATE_LIMIT_ORDERS", "0x10", "must be a whole number"],
    ["RATE_LIMIT_READS", "1e3", "must be a whole number"],
    ["WELCOME_OFFER_PERCENT", " ", "must be a percentage"],
    ["WELCOME_OFFER_PERCENT", "100.5", "must be a percentage"],
    ["PORT", " ", "must be a port"],
    ["PORT", "65536", "must be a port"],
    ["DATABASE_POOL", "0", "must be a number of connections"],
    ["DATABASE_URL", "postgres://u:p@db/d?ssl=false", "has ssl with another value than true"],
    [
      "DATABASE_URL",
      "postgres://u:p@db/d?sslcert=x",
      "has the parameter sslcert; it may have sslmode, sslrootcert, app"
    ],
    ["DATABASE_URL", "postgres://u:p@db/d?SSLMODE=require", "has the parameter SSLMODE"],
    ["DATABASE_URL", "postgres://u:p@db/d?host=/tmp", "has the parameter host"],
    ["DATABASE_URL", "postgres://u:p@db/d?constructor=x", "has the parameter constructor"],
    ["DATABASE_URL", "postgres://u:p@db/d?sslmode=on", "has sslmode with another value"],
    ["DATABASE_URL", "postgres://u:p@db/d?ssl=true&sslmode=require", "has both ssl and sslmode"],
    ["DATABASE_URL", "postgres://u:p@db/d?sslmode=require&sslmode=disable", "has the parameter sslmode several times"],
    ["DATABASE_URL", "postgres://u:p@db/d?channel_binding=require", "has channel_binding with another value"],
    ["DATABASE_URL", "postgres://u:p@db/d?target_session_attrs=standby", "has target_session_attrs with another value"],
    ["DATABASE_URL", "postgres://u:p@db/d?sslrootcert=/no/file", "has sslrootcert, which needs sslmode=require"],
    [
      "DATABASE_URL",
      "postgres://u:p@db/d?ssl=true&sslrootcert=/no/file",
      "names a file by sslrootcert that cannot be read"
    ],
    ["TIER2_PRICES_EUR", "4,10", "must be three amounts in euros"],
    ["TIER2_PRICES_EUR", "4,10,x", "must be an amount in euros"],
    ["TURNAROUND_DAYS", "3,7", "must be three numbers of days, for Plancton, Corail and Nautilus, such as 3,7,14"],
    ["TURNAROUND_DAYS", "3,7,14,21", "must be three numbers of days"],
    ["TURNAROUND_DAYS", "3,7,366", "must be whole days from 0 to 365"],
    ["TURNAROUND_DAYS", "3,7.5,14", "must be whole days"],
    ["TURNAROUND_DAYS", "3,,14", "must be whole days"],
    ["TURNAROUND_DAYS", "-1,7,14", "must be whole days"],
    ["QUOTE_TTL", "5", "must be a time"],
    ["STORE", "sqlite", 'must be "memory"'],
    ["QUOTE_TTL", "0 seconds", "must be a time from 1 second to 365 days, such as 24 hours"],
    ["QUOTE_TTL", "-1 hours", "must be a time"],
    ["QUOTE_TTL", "Infinity", "must be a time"],
    ["QUOTE_TTL", "1500000001 nanos", "must be a time"],
    ["SWEEP_INTERVAL", "0 millis", "must be a time from 1 millis to 1 hour, such as 30 seconds"],
    ["SWEEP_INTERVAL", "Infinity", "must be a time"]
  ])("such as %s=%j stops the start", (name, value, message) => {
    const error = errorOf({ [name]: value })
    expect(configErrorMessage(error)).toContain(`${name} ${message}`)
  })

  it("is reported in a full sentence, as is a missing one", () => {
    expect(configErrorMessage(errorOf({ QUOTE_TTL: "5" }))).toBe(
      "QUOTE_TTL must be a time from 1 second to 365 days, such as 24 hours."
    )
    const unset = Effect.runSync(Effect.flip(mcpSettings.parse(ConfigProvider.fromUnknown({}))))
    expect(configErrorMessage(unset)).toBe("API_URL must be set.")
  })

  it("is only one beyond the bounds: the bounds themselves are valid", () => {
    const bounds = {
      QUOTE_TTL: "365 days",
      SWEEP_INTERVAL: "1 hour",
      DAILY_ORDER_CAP: " 0 ",
      DATABASE_POOL: "1000",
      OPEN_ARTICLES_MAX: "0",
      TURNAROUND_DAYS: "0, 7 ,365"
    }
    const { terms, sweepInterval, databasePool } = Effect.runSync(read({ ...bounds, WELCOME_OFFER_PERCENT: "12.5" }))
    expect(terms).toMatchObject({
      quoteTtlMs: 365 * 86_400_000,
      dailyOrderCap: 0,
      openArticlesMax: 0,
      turnaroundDays: { Plancton: 0, Corail: 7, Nautilus: 365 },
      welcomeBasisPoints: 1_250
    })
    expect(terms.openCodeUsesMax).toBe(3)
    expect([Duration.toMillis(sweepInterval), databasePool]).toEqual([3_600_000, 1_000])
  })
})

describe("TRUSTED_PROXIES", () => {
  it("names the proxies of the service, and of the MCP server that runs alone", () => {
    const proxies = { TRUSTED_PROXIES: "10.0.0.0/8" }
    const expected = [{ address: "10.0.0.0", prefix: 8, family: "ipv4" }]
    expect(Effect.runSync(read(proxies)).members.trustedProxies).toEqual(expected)
    const alone = mcpSettings.parse(ConfigProvider.fromUnknown({ API_URL: "https://shop.example", ...proxies }))
    expect(Effect.runSync(alone).trustedProxies).toEqual(expected)
  })
})

describe("SERVICE_NAME", () => {
  it("is the operator's, or that of the project", () => {
    expect(Effect.runSync(read({})).serviceName).toBe("Backlink Ordering Service")
    expect(Effect.runSync(read({ SERVICE_NAME: " Nordlicht & Söhne " })).serviceName).toBe("Nordlicht & Söhne")
  })

  it.each([" ", "<b>", 'a"b', "a\nBcc: x", "x".repeat(61)])("refuses %j", (text) => {
    expect(errorOf({ SERVICE_NAME: text }).message).toContain("SERVICE_NAME")
  })
})

describe("PUBLIC_CATALOGUE", () => {
  it("is on with demo data, unless said otherwise", () => {
    const named = (env: Readonly<Record<string, string>>) => Effect.runSync(read(env)).publicCatalogue
    expect([named({}), named({ DEMO: "off" })]).toEqual([true, false])
    expect([named({ PUBLIC_CATALOGUE: "off" }), named({ DEMO: "off", PUBLIC_CATALOGUE: "on" })]).toEqual([false, true])
  })
})

describe("RETENTION_DAYS", () => {
  const daysOf = (text: string) =>
    Object.values(Effect.runSync(read({ RETENTION_DAYS: text })).retention).map((spanMs) => spanMs / DAY_MS)

  it("names the days of each kind; a number alone is that of the answers, and kinds not named keep their default", () => {
    expect(Effect.runSync(read({})).retention).toEqual(defaultRetentionSpans)
    expect(daysOf("answers=1, deliveries=2,sandbox=0")).toEqual([2, 0, 1])
    expect(daysOf("365")).toEqual([30, 30, 365])
    expect(daysOf("sandbox=7")).toEqual([30, 7, 90])
  })

  it.each(["days", "orders=1", "answers=-1", "answers=36501", "1,answers=2", "answers=1.5"])("refuses %j", (text) => {
    expect(errorOf({ RETENTION_DAYS: text }).message).toContain("RETENTION_DAYS")
  })
})

describe("an invalid secret", () => {
  const bytes = Buffer.alloc(32, 0xfb)

  it.each([
    ["ENCRYPTION_KEY", bytes.toString("base64url"), "must be 32 bytes in base64"],
    ["ENCRYPTION_KEY", bytes.subarray(1).toString("base64"), "must be 32 bytes in base64"],
    ["ENCRYPTION_KEY_PREVIOUS", bytes.subarray(1).toString("base64"), "must be 32 bytes in base64"],
    ["DATABASE_URL", "postgres://shop:pass/word@db.internal/shop", "must be a URL such as postgres://"],
    ["DATABASE_URL", "mysql://shop:password@db.internal/shop", "must be a URL such as postgres://"]
  ])("in %s stops the start and is not repeated", (name, value, message) => {
    const error = errorOf({ [name]: value })
    expect(error.message).toContain(message)
    expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(value)
  })
})
