// A backup keeps the numbers of invoices, and how far documents were handed over.
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { HandOverInvoices } from "#core/usecases/invoicing/HandOverInvoices.ts"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { ENCRYPTION_KEY } from "#test/adapters/postgres/upgrade/Step048.ts"
import { buyer, item, order } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { untilInvoices } from "#test/scenarios/InvoiceSteps.ts"
import { serviceOn } from "../ServiceOnPostgres.ts"
import { freshDatabase } from "../TestDatabase.ts"
import { backedUp, directory, restoreInto } from "./BackupSteps.ts"

const settings = (outlet: string) => ({
  PAYMENTS: "simulated",
  OPERATOR_TOKEN: TOKEN,
  ENCRYPTION_KEY,
  SELLER_NAME: "Reef Media SARL",
  SELLER_ADDRESS: "1 quai du Port|13002 Marseille",
  SELLER_COUNTRY: "FR",
  SELLER_VAT_ID: "FR40303265045",
  INVOICE_OUTLET: "directory",
  INVOICE_OUTLET_DIRECTORY: outlet
})

/** The numbers of invoices that a new buyer of this number of links gets. */
const invoiced = Effect.fnUntraced(function* (orders: number) {
  const who = yield* buyer({ creditCents: orders * 500 })
  const { siteId } = yield* listSite()
  for (let count = 0; count < orders; count++) yield* order(who, [item(siteId)])
  const documents = yield* untilInvoices(who, ({ length }) => length === orders + 1)
  return documents.flatMap(({ number }) => number ?? []).sort()
})

/** Hands over until the files are there: the service's own job may be at it. */
const handedOver = Effect.fnUntraced(function* (outlet: string, count: number) {
  const { pass } = yield* HandOverInvoices
  const pdfs = () => readdirSync(outlet).filter((name) => name.endsWith(".pdf"))
  yield* Effect.repeat(Effect.andThen(Effect.sleep("10 millis"), pass), { until: () => pdfs().length >= count })
  return pdfs().filter((name) => !name.startsWith("rct_"))
})

const sequencesOf = (numbers: ReadonlyArray<string>) => numbers.map((number) => number.slice(5))

describe("a restored backup", () => {
  it.live("goes on with the next number, and hands over what came after it", () =>
    Effect.gen(function* () {
      const root = yield* directory
      const [file, first, second] = [join(root, "shop.backup"), join(root, "first"), join(root, "second")]
      mkdirSync(first)
      mkdirSync(second)
      yield* Effect.gen(function* () {
        expect(sequencesOf(yield* invoiced(2))).toEqual(["000001", "000002"])
        expect(yield* handedOver(first, 3)).toHaveLength(2)
        yield* backedUp(file)
        // Lost with the database.
        expect(sequencesOf(yield* invoiced(1))).toEqual(["000003"])
      }).pipe(Effect.provide(serviceOn(yield* freshDatabase, settings(first))))

      const url = yield* freshDatabase
      expect((yield* restoreInto(url, file)).status).toBe(0)
      yield* Effect.gen(function* () {
        const numbers = yield* invoiced(2)
        expect(sequencesOf(numbers)).toEqual(["000003", "000004"])
        expect((yield* handedOver(second, 3)).sort()).toEqual(numbers.map((number) => `${number}.pdf`))
        const { violations } = yield* (yield* Reconcile).reconcile()
        expect(violations).toEqual([])
      }).pipe(Effect.provide(serviceOn(url, settings(second))))
    }).pipe(Effect.scoped)
  )
})
