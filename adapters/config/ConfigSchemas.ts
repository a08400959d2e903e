// Settings that are numbers or times: within which bounds each kind makes sense. Which settings there are is `Config`'s.
import { Config, Duration, Option, Schema, SchemaTransformation } from "effect"

/** Digits between two bounds. Nothing else is a number here, least of all a space, which JavaScript takes for the 0 of "no limit". */
const number = (shape: RegExp, minimum: number, maximum: number, message: string) =>
  Schema.String.check(Schema.isPattern(shape, { message })).pipe(
    Schema.decodeTo(
      Schema.Finite.check(Schema.isBetween({ minimum, maximum }, { message })),
      SchemaTransformation.transform({ decode: Number, encode: String })
    )
  )

const DIGITS = /^\s*\d{1,9}\s*$/

/** A percentage; decimals beyond the second are rounded away with the basis points. */
export const Percent = number(/^\s*\d{1,3}(\.\d{1,9})?\s*$/, 0, 100, "must be a percentage from 0 to 100")

export const count = (name: string, fallback: number) =>
  Config.schema(number(DIGITS, 0, 1_000_000, "must be a whole number, 0 for no limit"), name).pipe(
    Config.withDefault(fallback)
  )

const parseDuration = Schema.decodeOption(Schema.DurationFromString)

type DurationText = Extract<Duration.Input, string>

/** Whole milliseconds: times are kept in them. The three are written as a setting is. */
export const duration = (name: string, fallback: DurationText, least: DurationText, most: DurationText) => {
  const [shortest, longest] = [Duration.fromInputUnsafe(least), Duration.fromInputUnsafe(most)]
  const message = `must be a time from ${least} to ${most}, such as ${fallback}`
  return Config.schema(
    Schema.String.check(Schema.makeFilter((text) => Option.isSome(parseDuration(text)), { message })).pipe(
      Schema.decodeTo(
        Schema.DurationFromString.check(
          Schema.makeFilter(
            (given) =>
              Number.isInteger(Duration.toMillis(given)) &&
              Duration.isGreaterThanOrEqualTo(given, shortest) &&
              Duration.isLessThanOrEqualTo(given, longest),
            { message }
          )
        )
      )
    ),
    name
  ).pipe(Config.withDefault(Duration.fromInputUnsafe(fallback)))
}

export const PoolSize = number(DIGITS, 1, 1_000, "must be a number of connections from 1 to 1000")

export const Port = number(DIGITS, 0, 65_535, "must be a port, 0 to let the system pick one")
