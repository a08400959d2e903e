// Where issued documents are handed over: `INVOICE_OUTLET` and what it needs.
import { Config, Option, type Redacted, Result } from "effect"
import { parsed, secret } from "./ConfigSchemas.ts"

export interface OutletSettings {
  readonly kind: "none" | "directory" | "webhook"
  readonly directory: Option.Option<string>
  readonly url: Option.Option<string>
  readonly secret: Option.Option<Redacted.Redacted<string>>
}

const url = parsed("INVOICE_OUTLET_URL", (text) => {
  const parts = URL.parse(text)
  const isWeb = parts !== null && /^https?:$/.test(parts.protocol) && parts.username === "" && parts.password === ""
  return isWeb ? Result.succeed(parts.href) : Result.fail("must be a URL such as https://invoices.example/in")
})

export const outlet: Config.Config<OutletSettings> = Config.all({
  kind: Config.Literals(["none", "directory", "webhook"], "INVOICE_OUTLET").pipe(Config.withDefault("none" as const)),
  directory: Config.option(Config.NonEmptyString("INVOICE_OUTLET_DIRECTORY")),
  url: Config.option(url),
  secret: Config.option(
    secret(
      "INVOICE_OUTLET_SECRET",
      (text) => /^[\x21-\x7e]{16,}$/.test(text),
      "must be 16 visible ASCII characters or more"
    )
  )
})

/** Why documents could not be handed over with these settings. */
export const outletErrors = (
  { kind, directory, url, secret }: OutletSettings,
  { webhookInsecureTargets }: { readonly webhookInsecureTargets: boolean }
): ReadonlyArray<readonly [applies: boolean, message: string]> => [
  [
    kind === "directory" && Option.isNone(directory),
    "INVOICE_OUTLET=directory needs INVOICE_OUTLET_DIRECTORY, an existing directory that the service may write."
  ],
  [
    kind === "webhook" && (Option.isNone(url) || Option.isNone(secret)),
    "INVOICE_OUTLET=webhook needs INVOICE_OUTLET_URL and INVOICE_OUTLET_SECRET, which signs each request."
  ],
  [
    kind === "webhook" && !webhookInsecureTargets && Option.exists(url, (text) => text.startsWith("http:")),
    "INVOICE_OUTLET_URL must be https: invoices name people and what they pay."
  ],
  [
    kind === "none" && (Option.isSome(directory) || Option.isSome(url) || Option.isSome(secret)),
    "INVOICE_OUTLET_DIRECTORY, INVOICE_OUTLET_URL and INVOICE_OUTLET_SECRET have no effect without INVOICE_OUTLET."
  ]
]
