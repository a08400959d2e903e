// What a refusal of any request can name, and the refusal of a cursor.
import { Schema } from "effect"

/** The field of a request that a refusal is about: of an item, by its position, or of the order. */
export const FieldPath = Schema.Union([
  Schema.Struct({ item: Schema.Int, field: Schema.String }),
  Schema.Struct({ field: Schema.String })
])
export type FieldPath = typeof FieldPath.Type

/** A cursor of another query, or not a cursor of this service. */
export class CursorInvalid extends Schema.TaggedError<CursorInvalid>()("CursorInvalid", { reason: Schema.String }) {}
