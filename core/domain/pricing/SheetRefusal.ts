// Refusals about sheets of links.
import { Schema } from "effect"
import { SheetId } from "../shared/Ids.ts"

/** It does not exist, it was removed, or it is another account's. */
export class SheetNotFound extends Schema.TaggedError<SheetNotFound>()("SheetNotFound", { sheetId: SheetId }) {}

/** The account keeps as many sheets as it may. */
export class SheetLimitReached extends Schema.TaggedError<SheetLimitReached>()("SheetLimitReached", {
  limit: Schema.Int
}) {}

/** Rows were bought or chosen since the page was shown. */
export class SheetChanged extends Schema.TaggedError<SheetChanged>()("SheetChanged", { sheetId: SheetId }) {}

export type SheetRefusal = SheetChanged | SheetLimitReached | SheetNotFound
