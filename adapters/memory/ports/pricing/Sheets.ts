// Sheets of links, in memory.
import { Clock, Effect } from "effect"
import {
  isOpenRow,
  SHEET_KEPT_MS,
  type SheetChoice,
  type SheetRow,
  type SheetWithRows
} from "#core/domain/pricing/Sheet.ts"
import type { AccountId, SheetId } from "#core/domain/shared/Ids.ts"
import { Sheets } from "#core/ports/pricing/Sheets.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { sorted } from "../../books/Rows.ts"

const chooseAmong = (row: SheetRow, rows: SheetChoice["rows"]): SheetRow =>
  rows === undefined || !isOpenRow(row) || row.number < rows.from || row.number > rows.to
    ? row
    : { ...row, chosen: rows.chosen.includes(row.number), chosenAtMs: rows.atMs }

const summary = ({ sheet, rows }: SheetWithRows) => ({
  sheet,
  rowCount: rows.length,
  faultCount: rows.filter(({ item }) => item === null).length,
  boughtCount: rows.filter(({ orderId }) => orderId !== null).length
})

export const layer = overBooks(Sheets, () => {
  const sheets = new Map<SheetId, SheetWithRows>()

  const ofAccount = (accountId: AccountId) =>
    sorted(
      [...sheets.values()].filter(({ sheet }) => sheet.accountId === accountId),
      { by: ({ sheet }) => [sheet.createdAtMs, sheet.sheetId], isDescending: true }
    )

  return {
    create: (one, limit) => {
      const { sheetId, accountId } = one.sheet
      if (!sheets.has(sheetId) && ofAccount(accountId).length < limit) sheets.set(sheetId, one)
      return sheets.has(sheetId)
    },
    byId: (sheetId) => sheets.get(sheetId) ?? null,
    ofAccount: (accountId) => ofAccount(accountId).map(summary),
    choose: ({ sheetId, revision, rows, promoCode }) => {
      const kept = sheets.get(sheetId)
      if (kept === undefined || kept.sheet.revision !== revision) return false
      const changed = { revision: revision + 1, ...(promoCode === undefined ? {} : { promoCode }) }
      sheets.set(sheetId, {
        sheet: { ...kept.sheet, ...changed },
        rows: kept.rows.map((row) => chooseAmong(row, rows))
      })
      return true
    },
    mark: ({ sheetId, nth, orderId, rows: numbers }) => {
      const kept = sheets.get(sheetId)
      if (kept === undefined || kept.sheet.orders !== nth - 1) return
      sheets.set(sheetId, {
        sheet: { ...kept.sheet, orders: nth },
        rows: kept.rows.map((row) => (row.orderId === null && numbers.includes(row.number) ? { ...row, orderId } : row))
      })
    },
    remove: (sheetId) => {
      sheets.delete(sheetId)
    },
    prune: Effect.map(Clock.currentTimeMillis, (nowMs) => {
      for (const [sheetId, { sheet }] of sheets) if (sheet.createdAtMs <= nowMs - SHEET_KEPT_MS) sheets.delete(sheetId)
    })
  }
})
