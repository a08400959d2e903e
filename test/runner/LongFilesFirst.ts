// The order in which test files start: a long file that starts last would run alone at the end. vitest starts the longest first by
// the times of the last run; a fresh clone has none, so the longest are listed here.
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The longest first, as the end of a full run prints them. */
export const LONG_FILES: ReadonlyArray<string> = [
  "test/scenarios/ThreeInstances.pg.test.ts",
  "test/bench/headless/Headless.process.test.ts",
  "test/scenarios/TwoInstances.pg.test.ts",
  "test/scenarios/InMemory.test.ts",
  "test/adapters/web/PagesInBrowser.process.test.ts",
  "test/core/ports/postgres.pg.test.ts",
  "test/bench/ui/Terminal.process.test.ts",
  "test/adapters/postgres/Kills.pg.test.ts",
  "test/adapters/postgres/embedded/StartsAnywhere.pg.test.ts",
  "test/core/recipes/Recipes.process.test.ts",
  "test/adapters/postgres/embedded/EmbeddedServer.pg.test.ts",
  "test/adapters/web/FactorsByAction.process.test.ts",
  "test/adapters/invoices/InvoiceRenderer.test.ts",
  "test/programs/floods/Floods.process.test.ts",
  "test/adapters/mcp/ClientTable.process.test.ts",
  "test/adapters/postgres/backup/InvoicesBackup.pg.test.ts",
  "test/adapters/mcp/Stdio.process.test.ts",
  "test/scenarios/InMemoryGenerated.test.ts",
  "test/core/decisions/wallet/WalletModel.test.ts",
  "test/adapters/web/HumanLife.process.test.ts",
  "test/adapters/postgres/StoreInstances.pg.test.ts",
  "test/adapters/postgres/backup/PartialRestore.pg.test.ts",
  "test/adapters/postgres/backup/EmbeddedBackup.pg.test.ts",
  "test/adapters/postgres/embedded/DemoKeys.pg.test.ts",
  "test/adapters/http/docs/ReferencePage.process.test.ts",
  "test/adapters/cli/Readme.process.test.ts",
  "test/adapters/web/ShopLife.process.test.ts",
  "test/adapters/web/Passkeys.process.test.ts",
  "test/adapters/oauth/KilledRotation.process.test.ts",
  "test/adapters/postgres/backup/Backup.pg.test.ts",
  "test/adapters/postgres/QueryPlans.pg.test.ts",
  "test/adapters/mcp/Conformance.process.test.ts",
  "test/adapters/invoices/PdfA3.test.ts",
  "test/adapters/payments/StripeFailures.test.ts",
  "test/bench/scenarios/Simulation.test.ts",
  "test/architecture.test.ts"
]

/** Listed files in the order of the list, then the others as they were. */
export const longFilesFirst = <File>(files: ReadonlyArray<File>, pathOf: (file: File) => string): Array<File> => {
  const rank = (file: File) => {
    const place = LONG_FILES.findIndex((long) => pathOf(file).endsWith(long))
    return place === -1 ? LONG_FILES.length : place
  }
  return files.toSorted((a, b) => rank(a) - rank(b))
}

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return longFilesFirst(await super.sort(files), ({ moduleId }) => moduleId)
  }
}
