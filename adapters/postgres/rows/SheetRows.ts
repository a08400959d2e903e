// Tables of sheets of links and their rows.
import { Sheet, SheetRow } from "#core/domain/pricing/Sheet.ts"
import { table } from "./Table.ts"

export const sheets = table(Sheet.fields)

export const sheetRows = table(SheetRow.fields)
