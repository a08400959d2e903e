// Keeps sheets of links. Each call is one step that no other comes between.
import { Context, type Effect } from "effect"
import type { SheetChoice, SheetSummary, SheetWithRows } from "#core/domain/pricing/Sheet.ts"
import type { AccountId, OrderId, SheetId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export class Sheets extends Context.Service<
  Sheets,
  {
    /** Keeps it unless the account has `limit` sheets, or one of this id is kept. Returns whether one of this id is kept now. */
    readonly create: (sheet: SheetWithRows, limit: number) => Effect.Effect<boolean, StoreUnavailable>
    /** The sheet with all its rows, as they were at one moment; `null` if the sheet does not exist. */
    readonly byId: (sheetId: SheetId) => Effect.Effect<SheetWithRows | null, StoreUnavailable>
    /** Newest first. */
    readonly ofAccount: (accountId: AccountId) => Effect.Effect<ReadonlyArray<SheetSummary>, StoreUnavailable>
    /** Returns whether it changed the revision. */
    readonly choose: (choice: SheetChoice) => Effect.Effect<boolean, StoreUnavailable>
    /** Marks the rows as bought by the `nth` order of the sheet, unless that order is marked already. */
    readonly mark: (order: {
      readonly sheetId: SheetId
      readonly nth: number
      readonly orderId: OrderId
      readonly rows: ReadonlyArray<number>
    }) => Effect.Effect<void, StoreUnavailable>
    readonly remove: (sheetId: SheetId) => Effect.Effect<void, StoreUnavailable>
    /** Deletes the sheets that were kept for `SHEET_KEPT_MS`, by the store's time. */
    readonly prune: Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/pricing/Sheets") {}
