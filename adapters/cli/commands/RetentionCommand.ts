// `retention`: what was freed of finished records.
import { Command } from "effect/cli"
import type { FreedRows } from "#adapters/operator/records/MonitoringRecords.ts"
import { idColumn, numberColumn, timeText } from "../Columns.ts"
import { withClient } from "../Connect.ts"
import { printResult } from "../Output.ts"
import { table } from "../Table.ts"

const columns = [
  idColumn<FreedRows>("FREED", ({ table: name }) => name),
  numberColumn<FreedRows>("ROWS", ({ rows }) => rows),
  idColumn<FreedRows>("LAST", ({ lastAtMs }) => timeText(lastAtMs))
]

export const retentionCommand = Command.make(
  "retention",
  {},
  withClient((client) =>
    printResult(client.showRetention({}), ({ freed }, width) =>
      freed.length === 0 ? "Nothing was freed so far." : table(columns, freed, width)
    )
  )
).pipe(Command.withDescription("Show how many rows of finished records were freed (see RETENTION_DAYS)"))
