// `RETENTION_DAYS`: how many days finished records are kept, by kind.
import { Config, Result } from "effect"
import {
  defaultRetentionSpans,
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionSpans
} from "#core/domain/operations/Retention.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { parsed } from "./ConfigSchemas.ts"

const FORMAT = `must be a number of days for answers, or a list such as deliveries=30,sandbox=30,answers=90, each at most 36500, 0 for ever`

const MAX_DAYS = 36_500

const kindOf = (name: string): RetentionKind | undefined => RETENTION_KINDS.find((kind) => kind === name)

const entryOf = (text: string): Result.Result<readonly [RetentionKind, number], string> => {
  const [, name = "answers", digits = ""] = /^\s*(?:([a-z]+)\s*=\s*)?(\d{1,5})\s*$/.exec(text) ?? []
  const kind = kindOf(name)
  const days = Number(digits)
  return kind === undefined || digits === "" || days > MAX_DAYS
    ? Result.fail(FORMAT)
    : Result.succeed([kind, days * DAY_MS])
}

const spansOf = (text: string): Result.Result<RetentionSpans, string> =>
  Result.flatMap(Result.all(text.split(",").map(entryOf)), (entries) =>
    new Set(entries.map(([kind]) => kind)).size < entries.length
      ? Result.fail(FORMAT)
      : Result.succeed({ ...defaultRetentionSpans, ...Object.fromEntries(entries) })
  )

/** Kinds that are not named keep their default. */
export const retentionDays = (name: string): Config.Config<RetentionSpans> =>
  parsed(name, spansOf).pipe(Config.withDefault(defaultRetentionSpans))
