// The history of a link on the wire: each status, and each change of its text.
import { Schema } from "effect"
import { type Link, LinkStatus, type TextChange } from "#core/domain/ordering/Link.ts"
import { at, timestamp } from "../schema/Text.ts"

/** Fields of a link's text by the names of their wire. */
export const textFieldName = {
  targetUrl: "target_url",
  anchorText: "anchor_text",
  anchorType: "anchor_type",
  brief: "brief"
} as const satisfies Record<TextChange["field"], string>

export const LinkTextField = Schema.Literals(["target_url", "anchor_text", "anchor_type", "brief"])

const TextChangeRecord = Schema.Struct({
  field: LinkTextField.annotate({ description: "Which of the link's fields." }),
  from: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({
      description: "The text before, `null` for none; absent, as `to`, if the answer would be too long for a model."
    })
  ),
  to: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({ description: "The text since then, `null` for none." })
  )
}).annotate({ identifier: "TextChange", description: "A field of a link whose text was changed." })

export const LinkStepRecord = Schema.Struct({
  status: LinkStatus.annotate({ description: "The status from then on." }),
  at: at("When that happened."),
  changed: Schema.optionalKey(
    Schema.Array(TextChangeRecord).annotate({
      description: "What was changed of the link's text; the status stayed. Absent at a step of the status."
    })
  )
})
export type LinkStepRecord = typeof LinkStepRecord.Type

export const showStep = ({ status, atMs, changed }: Link["history"][number]): LinkStepRecord => ({
  status,
  at: timestamp(atMs),
  ...(changed === undefined
    ? {}
    : { changed: changed.map(({ field, from, to }) => ({ field: textFieldName[field], from, to })) })
})

/** The steps without what was changed from what, where they would be too long for a model. */
export const withoutFormerTexts = (history: ReadonlyArray<LinkStepRecord>): ReadonlyArray<LinkStepRecord> =>
  history.map(({ changed, ...step }) =>
    changed === undefined ? step : { ...step, changed: changed.map(({ field }) => ({ field })) }
  )
