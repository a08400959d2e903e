// References that the database does not enforce, because each would cost every order: reconciliation names every missing parent, and
// the table that refers to it.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { issueAllDue } from "#test/core/ports/invoicing/InvoiceSteps.ts"
import { openQuote, paidOrder } from "#test/core/ports/ordering/OrderFixtures.ts"
import { corrupt, store } from "./BrokenDatabase.ts"

const orphans = Effect.gen(function* () {
  const { violations } = yield* (yield* Reconciliation).reconcile(1_000)
  return violations.flatMap(({ invariant, subject, message }) =>
    invariant === "named_is_there" ? [`${subject} ${message}`] : []
  )
})

layer(store, { excludeTestServices: true })("reconciliation names", (it) => {
  it.effect("each deleted parent of a row that an order writes, by each table that refers to it", () =>
    Effect.gen(function* () {
      const { accountId, keyId, orderId, article } = yield* paidOrder
      const { code, holdId } = yield* openQuote
      const [, [account] = []] = yield* corrupt(
        `SELECT account_no::text AS number FROM accounts WHERE account_id = '${accountId}'`
      )
      yield* issueAllDue()
      expect(yield* orphans).toEqual([])
      const parents = [
        ["accounts", "account_id", accountId, ["invoices", "keys"]],
        ["keys", "key_id", keyId, ["quotes"]],
        ["quotes", "order_id", orderId, ["events", "links"]],
        ["quotes", "hold_id", holdId ?? "", ["ledger"]],
        ["sites", "site_id", String(article.siteId), ["articles", "links"]],
        ["articles", "article_id", String(article.articleId), ["links"]],
        ["promos", "code", code, ["promo_uses"]]
      ] as const
      for (const [table, column, id, children] of parents) {
        yield* corrupt(
          `CREATE TABLE kept AS SELECT * FROM ${table} WHERE ${column}::text = '${id}'`,
          `DELETE FROM ${table} WHERE ${column}::text = '${id}'`
        )
        const named = children.map((child) => `${id} it is not there, and named by ${child}`)
        if (table === "accounts")
          for (const child of ["deliveries", "events", "ledger", "links", "quotes"])
            named.push(`${account?.["number"]} no account has this number, and it is named by ${child}`)
        expect(yield* orphans).toEqual(expect.arrayContaining(named))
        yield* corrupt(`INSERT INTO ${table} SELECT * FROM kept`, "DROP TABLE kept")
        expect(yield* orphans).toEqual([])
      }
    })
  )
})
