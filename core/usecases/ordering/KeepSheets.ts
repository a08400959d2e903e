// Keeps the sheets of links that owners upload to the Shop: what is on them, and which rows are to be bought.
import { Clock, Context, Effect, Layer } from "effect"
import { OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
import {
  type ChosenRows,
  chosenAtFirst,
  isOpenRow,
  MAX_SHEETS,
  ORDERED_LATELY_MS,
  type OrderedBefore,
  type SheetChoice,
  type SheetRow,
  type SheetSummary,
  type SheetWithRows
} from "#core/domain/pricing/Sheet.ts"
import { SheetChanged, SheetLimitReached, SheetNotFound } from "#core/domain/pricing/SheetRefusal.ts"
import type { AccountId, SheetId } from "#core/domain/shared/Ids.ts"
import { Catalogue } from "#core/ports/catalogue/Catalogue.ts"
import { Purchases } from "#core/ports/ordering/Purchases.ts"
import { Sheets } from "#core/ports/pricing/Sheets.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** A row as it was read. */
export type ReadRow = Pick<SheetRow, "line" | "item" | "cells" | "faults">

/** The time of the choice is that of the call. */
export interface NewChoice extends Omit<SheetChoice, "rows"> {
  readonly rows?: Omit<ChosenRows, "atMs">
}

export interface NewSheet {
  /** From the form: sent twice, it makes one sheet. */
  readonly sheetId: SheetId
  readonly name: string
  readonly rows: ReadonlyArray<ReadRow>
}

export class KeepSheets extends Context.Service<
  KeepSheets,
  {
    /** The ids of sites by their domains, for rows that name them so. */
    readonly siteIdsOf: Catalogue["Service"]["siteIdsOf"]
    readonly create: (
      signedIn: SignedIn,
      sheet: NewSheet
    ) => Effect.Effect<void, OwnerOnly | SheetLimitReached | SheetNotFound | StoreUnavailable>
    /** Newest first. */
    readonly list: (signedIn: SignedIn) => Effect.Effect<ReadonlyArray<SheetSummary>, StoreUnavailable>
    readonly find: (
      accountId: AccountId,
      sheetId: SheetId
    ) => Effect.Effect<SheetWithRows, SheetNotFound | StoreUnavailable>
    /** The account's orders of late for the same links as rows that are not bought. */
    readonly orderedLately: (
      accountId: AccountId,
      rows: ReadonlyArray<SheetRow>
    ) => Effect.Effect<ReadonlyArray<OrderedBefore>, StoreUnavailable>
    readonly choose: (
      signedIn: SignedIn,
      choice: NewChoice
    ) => Effect.Effect<void, OwnerOnly | SheetChanged | SheetNotFound | StoreUnavailable>
    /** What was bought stays bought. Removing it again does nothing. */
    readonly remove: (signedIn: SignedIn, sheetId: SheetId) => Effect.Effect<void, OwnerOnly | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/KeepSheets") {
  static readonly layer = Layer.effect(
    KeepSheets,
    Effect.gen(function* () {
      const sheets = yield* Sheets
      const purchases = yield* Purchases
      const { siteIdsOf } = yield* Catalogue

      const requireOwner = ({ member }: SignedIn) => (member.role === "owner" ? Effect.void : new OwnerOnly())

      const orderedLately = Effect.fnUntraced(function* (accountId: AccountId, rows: ReadonlyArray<SheetRow>) {
        const items = rows.filter(isOpenRow).map(({ item }) => item)
        if (items.length === 0) return []
        return yield* purchases.orderedOn({
          accountId,
          siteIds: [...new Set(items.map(({ siteId }) => siteId))],
          hosts: [...new Set(items.map(targetHost))],
          sinceMs: (yield* Clock.currentTimeMillis) - ORDERED_LATELY_MS
        })
      })

      const find = Effect.fnUntraced(function* (accountId: AccountId, sheetId: SheetId) {
        const found = yield* sheets.byId(sheetId)
        return found?.sheet.accountId === accountId ? found : yield* new SheetNotFound({ sheetId })
      })

      return KeepSheets.of({
        siteIdsOf,
        find,
        orderedLately,
        create: Effect.fn("KeepSheets.create")(function* (signedIn, { sheetId, name, rows: read }) {
          yield* requireOwner(signedIn)
          const { accountId } = signedIn.account
          const createdAtMs = yield* Clock.currentTimeMillis
          const rows = read.map((row, index) => ({
            ...row,
            ...{ number: index + 1, chosen: false, chosenAtMs: createdAtMs, orderId: null }
          }))
          const sheet = {
            ...{
              sheetId,
              accountId,
              memberId: signedIn.member.memberId,
              name,
              revision: 1,
              promoCode: null,
              orders: 0
            },
            createdAtMs
          }
          const chosen = chosenAtFirst(rows, yield* orderedLately(accountId, rows))
          if (!(yield* sheets.create({ sheet, rows: chosen }, MAX_SHEETS)))
            return yield* new SheetLimitReached({ limit: MAX_SHEETS })
          // The id may be that of another account's.
          yield* find(accountId, sheetId)
        }),
        list: Effect.fn("KeepSheets.list")(({ account: { accountId } }) => sheets.ofAccount(accountId)),
        choose: Effect.fn("KeepSheets.choose")(function* (signedIn, { rows, ...choice }) {
          yield* requireOwner(signedIn)
          const { sheetId } = choice
          yield* find(signedIn.account.accountId, sheetId)
          const atMs = yield* Clock.currentTimeMillis
          const change = { ...choice, ...(rows === undefined ? {} : { rows: { ...rows, atMs } }) }
          if (!(yield* sheets.choose(change))) return yield* new SheetChanged({ sheetId })
        }),
        remove: Effect.fn("KeepSheets.remove")(function* (signedIn, sheetId) {
          yield* requireOwner(signedIn)
          yield* find(signedIn.account.accountId, sheetId).pipe(
            Effect.andThen(sheets.remove(sheetId)),
            Effect.catchTag("SheetNotFound", () => Effect.void)
          )
        })
      })
    })
  )
}
