// Values that forms and addresses send as text: addresses of members, amounts of euros, whole numbers, lists of domains, places in lists.
import { Effect, Schema, SchemaTransformation } from "effect"
import { hostOf } from "#adapters/contract/schema/DomainName.ts"
import { MAX_QUERY_INT } from "#adapters/contract/schema/QueryValue.ts"
import { line, text } from "#adapters/contract/schema/Text.ts"
import { separated } from "#adapters/contract/shared/Counted.ts"
import { isolated } from "#adapters/html/Html.ts"
import { AlwaysAllowed } from "#core/domain/access/ApiKey.ts"
import { isEmailAddress } from "#core/domain/members/Member.ts"
import { alwaysAllowFault } from "#core/domain/ordering/Approval.ts"
import { isUploadable } from "./Uploads.ts"

/** What is left out is empty. */
export const anyText = Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("")))

/** The text of a file, or what is pasted in its place. */
export const uploadedText = Schema.String.check(
  Schema.makeFilter(isUploadable, { message: "Is larger than 1 MB, the most that is read: divide it into several." })
).pipe(Schema.withDecodingDefaultKey(Effect.succeed("")))

export const emailField = line(1, 254).check(
  Schema.makeFilter((value: string) => isEmailAddress(value.trim()), {
    message: "Must be an e-mail address, such as name@example.com."
  })
)

const AMOUNT = /^\s*\d{1,7}(?:[.,]\d{1,2})?\s*$/

/** Both parts are digits, so that no cent is lost to binary fractions. */
const centsIn = (value: string): number => {
  const [euros = "", cents = ""] = value.trim().split(/[.,]/)
  return Number(euros) * 100 + Number(cents.padEnd(2, "0"))
}

/** "12", "12.5" or "12,50", as cents. */
export const eurField = Schema.String.check(
  Schema.makeFilter((value: string) => {
    if (AMOUNT.test(value)) return undefined
    return AMOUNT.test(value.replace(/[-−]/, ""))
      ? "Must not be below 0."
      : "Must be an amount of euros, such as 12.50."
  })
).pipe(
  Schema.decodeTo(
    Schema.Int,
    SchemaTransformation.transform({
      decode: centsIn,
      encode: (cents) => (cents / 100).toFixed(2)
    })
  )
)

export const wholeField = (min: number, max: number) =>
  Schema.String.check(
    Schema.makeFilter(
      (value: string) => /^\s*\d{1,9}\s*$/.test(value) && Number(value) >= min && Number(value) <= max,
      {
        message: `Must be a whole number from ${min} to ${separated(max)}.`
      }
    )
  ).pipe(Schema.decodeTo(Schema.Int, SchemaTransformation.transform({ decode: Number, encode: String })))

/** One of several on their lines, as it is quoted. */
const excerpt = (wrong: string): string => `“${isolated(wrong.trim().slice(0, 60))}”`

const namesIn = (value: string): ReadonlyArray<string> => value.split(/[\s,;]+/).filter((name) => name !== "")

/** Domains on separate lines, or with commas between. */
export const domainsField = text(1, 2_000)
  .check(
    Schema.makeFilter((value: string) => {
      const wrong = namesIn(value).find((name) => hostOf(name) === undefined)
      return wrong === undefined
        ? undefined
        : `${excerpt(wrong)} is not a domain name. Write one on each line, such as shop.example.`
    })
  )
  .pipe(
    Schema.decodeTo(
      Schema.Array(Schema.String),
      SchemaTransformation.transform<ReadonlyArray<string>, string>({
        decode: (value) => namesIn(value).map((name) => hostOf(name) ?? name),
        encode: (names) => names.join("\n")
      })
    )
  )

const DOMAIN_AMOUNT = /^\s*([^\s=]+)[\s=]+(\d{1,7}(?:[.,]\d{1,2})?)(?:\s*(?:EUR|€))?\s*$/i

const domainAmountIn = (written: string): AlwaysAllowed | undefined => {
  const [, name = "", amount = ""] = DOMAIN_AMOUNT.exec(written) ?? []
  const domain = hostOf(name)
  return domain === undefined ? undefined : { domain, upToCents: centsIn(amount) }
}

const linesIn = (value: string): ReadonlyArray<string> => value.split("\n").filter((written) => written.trim() !== "")

/** The domain and the amount of each line that has both. */
const domainAmountsIn = (value: string): ReadonlyArray<AlwaysAllowed> =>
  linesIn(value).flatMap((written) => domainAmountIn(written) ?? [])

/** Domains on separate lines, each with the amount up to which it is allowed. */
export const domainAmountsField = text(1, 6_000)
  .check(
    Schema.makeFilter((value: string) => {
      const wrong = linesIn(value).find((written) => domainAmountIn(written) === undefined)
      return wrong === undefined
        ? alwaysAllowFault(domainAmountsIn(value))
        : `${excerpt(wrong)} is not a domain with an amount. Write one on each line, such as shop.example 50.00.`
    })
  )
  .pipe(
    Schema.decodeTo(
      Schema.Array(AlwaysAllowed),
      SchemaTransformation.transform<ReadonlyArray<AlwaysAllowed>, string>({
        decode: domainAmountsIn,
        encode: (all) => all.map(({ domain, upToCents }) => `${domain} ${(upToCents / 100).toFixed(2)}`).join("\n")
      })
    )
  )

/** The id of a site or an article; 0, which none has, for a text that is no id. */
export const catalogueIdOf = (text: string | null | undefined): number => {
  const id = /^[1-9]\d{0,9}$/.test(text ?? "") ? Number(text) : 0
  return id <= MAX_QUERY_INT ? id : 0
}

/** The entry after which a page of a list begins, by the page's address; `null` for the first page. */
export const placeIn = <Id>(query: URLSearchParams, id: { readonly make: (text: string) => Id }): Id | null => {
  const before = query.get("before")
  return before === null ? null : id.make(before)
}
