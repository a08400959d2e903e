// Formats of settings: syntax, bounds and the value each is read as. A message continues the setting's name and never repeats its
// value.
import { Config, Duration, Option, Redacted, Result, Schema } from "effect"
import { Base64 } from "effect/encoding"

/** A text's value, or the message why it is invalid. */
type Parsed<A> = Result.Result<A, string>

const valid = <A>(isValid: boolean, value: A, message: string): Parsed<A> =>
  isValid ? Result.succeed(value) : Result.fail(message)

const checkedBy = <A>(parse: (text: string) => Parsed<A>) =>
  Schema.String.check(Schema.makeFilter((text) => Result.getOrUndefined(Result.flip(parse(text)))))

export const parsed = <A>(name: string, parse: (text: string) => Parsed<A>): Config.Config<A> =>
  Config.map(Config.schema(checkedBy(parse), name), (text) => Result.getOrThrow(parse(text)))

/** Like `parsed`, for a text that is never printed. */
export const parsedSecret = <A>(name: string, parse: (text: string) => Parsed<A>): Config.Config<A> =>
  Config.map(Config.schema(Schema.Redacted(checkedBy(parse)), name), (text) =>
    Result.getOrThrow(parse(Redacted.value(text)))
  )

/** A setting that passes a test and is never printed. */
export const secret = (name: string, isValid: (text: string) => boolean, message: string) =>
  Config.schema(Schema.Redacted(Schema.String.check(Schema.makeFilter(isValid, { message }))), name)

export const onOff = (name: string, fallback: "on" | "off"): Config.Config<boolean> =>
  Config.Literals(["on", "off"], name).pipe(
    Config.withDefault(fallback),
    Config.map((value) => value === "on")
  )

/** Rejects a blank text, which JavaScript reads as 0, "no limit" here. */
const number = (name: string, format: RegExp, min: number, max: number, message: string): Config.Config<number> =>
  parsed(name, (text) => {
    const value = Number(text)
    return valid(format.test(text) && value >= min && value <= max, value, message)
  })

const DIGITS = /^\s*\d{1,9}\s*$/

/** A percentage; decimals beyond the second are rounded away with the basis points. */
export const percent = (name: string) =>
  number(name, /^\s*\d{1,3}(\.\d{1,9})?\s*$/, 0, 100, "must be a percentage from 0 to 100")

/** What people read on every page and in every mail: a line that a header of a mail takes, too. */
export const serviceName = (name: string) =>
  parsed(name, (text) =>
    valid(
      /^[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{P}\p{S} ]{0,59}$/u.test(text.trim()) && !/["<>]/.test(text),
      text.trim(),
      'must be the name of the service: 1 to 60 letters, digits, blanks and signs in a line, without ", < and >'
    )
  )

export const count = (name: string, fallback: number) =>
  number(name, DIGITS, 0, 1_000_000, "must be a whole number, 0 for no limit").pipe(Config.withDefault(fallback))

export const poolSize = (name: string) =>
  number(name, DIGITS, 1, 1_000, "must be a number of connections from 1 to 1000")

export const port = (name: string) => number(name, DIGITS, 0, 65_535, "must be a port, 0 to let the system pick one")

type DurationText = Extract<Duration.Input, string>

const durationOf = Schema.decodeOption(Schema.DurationFromString)

/** Whole milliseconds, the unit of stored times. `fallback`, `min` and `max` have the setting's own syntax. */
export const duration = (name: string, fallback: DurationText, min: DurationText, max: DurationText) => {
  const bounds = { minimum: Duration.fromInputUnsafe(min), maximum: Duration.fromInputUnsafe(max) }
  const isAllowed = (given: Duration.Duration) =>
    Number.isInteger(Duration.toMillis(given)) && Duration.between(given, bounds)
  const message = `must be a time from ${min} to ${max}, such as ${fallback}`
  return parsed(name, (text) => Result.fromOption(Option.filter(durationOf(text), isAllowed), () => message)).pipe(
    Config.withDefault(Duration.fromInputUnsafe(fallback))
  )
}

const centsOf = (euros: string): Parsed<number> =>
  valid(
    /^\s*\d{1,7}(\.\d{1,2})?\s*$/.test(euros),
    Math.round(Number(euros) * 100),
    "must be an amount in euros such as 4 or 0.50"
  )

/** An amount in euros such as 4, 0.5 or 10.00, as whole cents. */
export const eurAsCents = (name: string) => parsed(name, centsOf)

/** Prices of packs of 1, 3 and 5 tier-2 links, in that order: `4,10,15`. */
export const tier2Prices = (name: string) =>
  parsed(name, (text) => {
    const [one, three, five, ...more] = text.split(",")
    return one === undefined || three === undefined || five === undefined || more.length > 0
      ? Result.fail("must be three amounts in euros, for 1, 3 and 5 links, such as 4,10,15")
      : Result.all({ 1: centsOf(one), 3: centsOf(three), 5: centsOf(five) })
  })

const daysOf = (text: string): Parsed<number> =>
  valid(/^\s*\d{1,3}\s*$/.test(text) && Number(text) <= 365, Number(text), "must be whole days from 0 to 365")

/** Days for sites of each shelf, cheapest first: `3,7,14`. */
export const shelfDays = (name: string) =>
  parsed(name, (text) => {
    const [plancton, corail, nautilus, ...more] = text.split(",")
    return plancton === undefined || corail === undefined || nautilus === undefined || more.length > 0
      ? Result.fail("must be three numbers of days, for Plancton, Corail and Nautilus, such as 3,7,14")
      : Result.all({ Plancton: daysOf(plancton), Corail: daysOf(corail), Nautilus: daysOf(nautilus) })
  })

const originOf = (text: string): Parsed<string> =>
  valid(
    /^https?:\/\/[^/?#\s]+\/?$/.test(text),
    text.replace(/\/$/, ""),
    "must be an origin such as https://links.example.com"
  )

export const origin = (name: string) => parsed(name, originOf)

/** Origins separated by commas or spaces. */
export const origins = (name: string) =>
  parsed(name, (text) =>
    Result.all(
      text
        .split(/[,\s]+/)
        .filter((part) => part !== "")
        .map(originOf)
    )
  )

/** The address of an OTLP collector, below which `/v1/traces` is found. */
export const otlpEndpoint = (name: string) =>
  parsed(name, (text) =>
    valid(
      /^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/.test(text),
      text.replace(/\/+$/, ""),
      "must be an address such as http://127.0.0.1:4318"
    )
  )

/** Too long to guess, valid in a header, and not an API key. */
export const isOperatorToken = (token: string): boolean =>
  /^[\x21-\x7e]{16,1000}$/.test(token) && !/^sn_(?:live|test)_/.test(token)

/** A secret chosen by people. */
export const operatorToken = (name: string) =>
  secret(
    name,
    isOperatorToken,
    "must be at least 16 visible ASCII characters without spaces, such as `openssl rand -hex 32` prints, and no API key"
  )

export const ENCRYPTION_KEY_BYTES = 32

/** Exactly the texts that `Vault` can use as its key. */
export const isEncryptionKey = (text: string): boolean =>
  Result.getOrUndefined(Base64.decode(text))?.length === ENCRYPTION_KEY_BYTES

export const encryptionKey = (name: string) =>
  secret(name, isEncryptionKey, "must be 32 bytes in base64, such as `openssl rand -base64 32` prints")
