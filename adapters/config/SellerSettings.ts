// Who invoices, and with which VAT: `SELLER_*` and `VAT_PERCENT`.
import { Config, DateTime, Option, Result } from "effect"
import type { SellerTerms } from "#core/domain/invoicing/Party.ts"
import { parsed, percent } from "./ConfigSchemas.ts"

export interface SellerSettings {
  readonly name: Option.Option<string>
  readonly address: Option.Option<string>
  readonly country: Option.Option<string>
  readonly vatId: Option.Option<string>
  readonly vat: "standard" | "franchise"
  readonly vatPercent: number
  readonly timeZone: string
}

const country = parsed("SELLER_COUNTRY", (text) =>
  /^[A-Z]{2}$/.test(text) ? Result.succeed(text) : Result.fail("must be two capital letters such as FR (ISO 3166)")
)

const vatId = parsed("SELLER_VAT_ID", (text) => {
  const id = text.replaceAll(/[ .-]/g, "").toUpperCase()
  return /^[A-Z0-9/+*]{4,20}$/.test(id)
    ? Result.succeed(id)
    : Result.fail("must be a VAT id such as FR40303265045, or, with SELLER_VAT=franchise, a tax number")
})

const timeZone = parsed("SELLER_TIME_ZONE", (text) =>
  Option.isSome(DateTime.zoneMakeNamed(text))
    ? Result.succeed(text)
    : Result.fail("must be a time zone such as Europe/Paris")
)

/** One line per line of the address; in one line of a file, `\n` or a bar divides them. */
const address = Config.NonEmptyString("SELLER_ADDRESS").pipe(
  Config.map((text) =>
    text
      .split(/\n|\\n|\|/)
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .join("\n")
  )
)

export const seller: Config.Config<SellerSettings> = Config.all({
  name: Config.option(Config.NonEmptyString("SELLER_NAME")),
  address: Config.option(address),
  country: Config.option(country),
  vatId: Config.option(vatId),
  vat: Config.Literals(["standard", "franchise"], "SELLER_VAT").pipe(Config.withDefault("standard" as const)),
  vatPercent: percent("VAT_PERCENT").pipe(Config.withDefault(20)),
  timeZone: timeZone.pipe(Config.withDefault("UTC"))
})

const HUNDREDTHS = 100

/** `null` if no seller is named. The checks at the start have seen that a named one is complete. */
export const sellerTerms = ({
  name,
  address,
  country,
  vatId,
  vat,
  vatPercent,
  timeZone
}: SellerSettings): SellerTerms => ({
  seller: Option.getOrNull(Option.all({ name, address, country, vatId })),
  vat,
  vatBasisPoints: Math.round(vatPercent * HUNDREDTHS),
  timeZone
})

/** Why invoices could not be issued with these settings. */
export const sellerErrors = (settings: SellerSettings): ReadonlyArray<readonly [applies: boolean, message: string]> => {
  const { name, address, country, vatId, vat, vatPercent } = settings
  const isNamed = Option.isSome(name)
  return [
    [
      isNamed && (Option.isNone(address) || Option.isNone(country) || Option.isNone(vatId)),
      "SELLER_NAME needs SELLER_ADDRESS, SELLER_COUNTRY and SELLER_VAT_ID beside it: an invoice must name them."
    ],
    [
      !isNamed && (Option.isSome(address) || Option.isSome(country) || Option.isSome(vatId)),
      "SELLER_ADDRESS, SELLER_COUNTRY and SELLER_VAT_ID have no effect without SELLER_NAME."
    ],
    [
      vat === "standard" && vatPercent === 0,
      "VAT_PERCENT=0 with SELLER_VAT=standard charges VAT of nothing; a seller who charges none sets SELLER_VAT=franchise."
    ],
    [
      isNamed && vat === "standard" && Option.exists(vatId, (id) => !/^[A-Z]{2}/.test(id)),
      "SELLER_VAT_ID must begin with its country, such as FR40303265045, unless SELLER_VAT=franchise."
    ]
  ]
}

export const NO_SELLER =
  "SELLER_NAME is not set: invoices are pro forma and bear no number. Orders made before it is set stay so."
