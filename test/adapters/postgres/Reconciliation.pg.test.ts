// Reconciliation finds rows that the database itself would have rejected.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { accountNo } from "#adapters/postgres/rows/AccountRows.ts"
import { Invariant } from "#core/domain/operations/Invariant.ts"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { invoicedOrders } from "#test/core/ports/invoicing/InvoiceReconciliation.ts"
import { everyOutcome, openQuote, paidOrder } from "#test/core/ports/ordering/OrderFixtures.ts"
import { pay } from "#test/core/ports/ordering/OrderSteps.ts"
import { corrupt, store, violationsAbout } from "./BrokenDatabase.ts"

const invariants = (...names: ReadonlyArray<Invariant>): ReadonlySet<Invariant> => new Set(names)

layer(store, { excludeTestServices: true })("reconciliation of a broken database names", (it) => {
  it.effect("a ledger entry that was changed", () =>
    Effect.gen(function* () {
      const { accountId, quote } = yield* paidOrder
      const captured = `account_no = ${accountNo(`'${accountId}'`)} AND kind = 'capture'`
      yield* corrupt(`UPDATE ledger SET amount_cents = 900, balance_delta_cents = -900 WHERE ${captured}`)
      expect(yield* violationsAbout(accountId)).toEqual(invariants("ledger_adds_up"))
      expect(yield* violationsAbout(quote.quoteId)).toEqual(invariants("capture_pays_quote"))
    })
  )

  it.effect("a ledger entry that is missing", () =>
    Effect.gen(function* () {
      const { accountId, quote } = yield* paidOrder
      yield* corrupt(`DELETE FROM ledger WHERE account_no = ${accountNo(`'${accountId}'`)} AND kind = 'capture'`)
      expect(yield* violationsAbout(accountId)).toEqual(invariants("ledger_adds_up"))
      expect(yield* violationsAbout(quote.quoteId)).toEqual(invariants("capture_pays_quote"))
    })
  )

  it.effect("an order that was undone, with its hold", () =>
    Effect.gen(function* () {
      const { accountId, quote } = yield* openQuote
      yield* pay(quote)
      yield* corrupt(
        "ALTER TABLE quotes DROP CONSTRAINT paid_means_ordered",
        `UPDATE quotes SET status = 'awaiting_payment' WHERE quote_id = '${quote.quoteId}'`
      )
      const ofQuote = yield* violationsAbout(quote.quoteId)
      expect([...ofQuote]).toEqual(
        expect.arrayContaining(["hold_ends_once", "capture_pays_quote", "quote_has_its_order"])
      )
      expect(yield* violationsAbout(accountId)).toEqual(invariants("holds_add_up"))
    })
  )

  it.effect("an order, and its links, whose quote is missing", () =>
    Effect.gen(function* () {
      const { quote, keyId, accountId } = yield* paidOrder
      const ofQuote = `quote_id = '${quote.quoteId}'`
      const [, [capture] = []] = yield* corrupt(
        `SELECT entry_id AS id FROM ledger WHERE kind = 'capture' AND ${ofQuote}`,
        `DELETE FROM quotes WHERE ${ofQuote}`
      )
      expect(yield* violationsAbout(String(capture?.["id"]))).toEqual(invariants("money_names_its_cause"))
      expect(yield* violationsAbout(quote.orderId ?? "")).toEqual(invariants("named_is_there", "order_is_announced"))
      expect(yield* violationsAbout(accountId)).toEqual(invariants())
      expect(yield* violationsAbout(`${keyId}/${Math.floor(quote.createdAtMs / 86_400_000)}`)).toEqual(
        invariants("day_is_counted")
      )
    })
  )

  it.effect("a link that is missing, with its price", () =>
    Effect.gen(function* () {
      const { accountId, orderId, plain } = yield* paidOrder
      yield* corrupt(`DELETE FROM links WHERE link_id = '${plain}'`)
      expect(yield* violationsAbout(orderId)).toEqual(invariants("order_has_its_links"))
      expect(yield* violationsAbout(accountId)).toEqual(invariants("money_is_conserved"))
    })
  )

  it.effect("an order whose status is not its links'", () =>
    Effect.gen(function* () {
      const { orderId } = yield* paidOrder
      yield* corrupt(`UPDATE orders SET status = 'completed' WHERE order_id = '${orderId}'`)
      expect(yield* violationsAbout(orderId)).toEqual(invariants("order_has_its_links"))
    })
  )

  it.effect("a delivery that is missing, and half of a binding", () =>
    Effect.gen(function* () {
      const { orderId, quote, keyId, accountId } = yield* paidOrder
      yield* corrupt(
        // The subscription has to be older than the order.
        `UPDATE subscriptions SET created_at_ms = created_at_ms - 1000 WHERE key_id = '${keyId}'`,
        `DELETE FROM deliveries WHERE account_no = ${accountNo(`'${accountId}'`)}`,
        `UPDATE events SET event_id = 'evt_lost' WHERE order_id = '${orderId}'`,
        "ALTER TABLE quotes DROP CONSTRAINT binding_is_whole",
        `UPDATE quotes SET fingerprint = NULL WHERE quote_id = '${quote.quoteId}'`
      )
      expect(yield* violationsAbout("evt_lost")).toEqual(invariants("event_is_queued"))
      expect(yield* violationsAbout(quote.quoteId)).toEqual(invariants("key_is_bound_once"))
    })
  )

  it.effect("a delivery that the outbox has for another account", () =>
    Effect.gen(function* () {
      const { keyId } = yield* paidOrder
      const [, [pending] = []] = yield* corrupt(
        `SELECT delivery_id AS id FROM deliveries WHERE key_id = '${keyId}' AND state = 'pending' LIMIT 1`
      )
      const deliveryId = String(pending?.["id"])
      expect(yield* violationsAbout(deliveryId)).toEqual(invariants())
      yield* corrupt(`UPDATE outbox SET account_no = -1 WHERE delivery_id = '${deliveryId}'`)
      expect(yield* violationsAbout(deliveryId)).toEqual(invariants("delivery_is_awaited"))
    })
  )

  it.effect("a wallet that holds more than it has", () =>
    Effect.gen(function* () {
      const { accountId } = yield* paidOrder
      yield* corrupt(
        "ALTER TABLE accounts DROP CONSTRAINT wallet_is_sound",
        `UPDATE accounts SET held_cents = balance_cents + 1 WHERE account_id = '${accountId}'`
      )
      expect(yield* violationsAbout(accountId)).toEqual(invariants("wallet_is_sound", "ledger_adds_up", "holds_add_up"))
    })
  )

  it.effect("every invariant that arbitrary rows violate", () =>
    Effect.gen(function* () {
      const { reconcile } = yield* Reconciliation
      yield* everyOutcome
      const { first, second, note } = yield* invoicedOrders
      yield* corrupt(
        "UPDATE ledger SET balance_after_cents = balance_after_cents + 1",
        "UPDATE quotes SET lines = '[]' WHERE status = 'awaiting_payment'",
        "UPDATE payments SET amount_cents = amount_cents + 1",
        "UPDATE articles SET sale_state = 'sold', sale_until_ms = NULL WHERE sale_state = 'reserved'",
        "UPDATE quotes SET promo_code = NULL",
        "DROP INDEX members_by_email",
        "UPDATE quotes SET hold_id = NULL WHERE status = 'abandoned'",
        "ALTER TABLE accounts DISABLE TRIGGER account_takes_email",
        "UPDATE accounts SET email = 'ada@brand.example'",
        "UPDATE accounts SET welcome_state = 'available', welcome_quote_id = NULL, welcome_until_ms = NULL",
        "DELETE FROM events WHERE type = 'order.cancelled'",
        "UPDATE deliveries SET body = '' WHERE event_id IN (SELECT event_id FROM events)",
        "DELETE FROM outbox",
        `INSERT INTO events (event_id, type, mode, key_id, account_no, quote_id, body, at_ms)
         SELECT 'evt_early', 'quote.paid', mode, key_id, account_no, quote_id, '', 0 FROM quotes WHERE status = 'abandoned' LIMIT 1`,
        "DELETE FROM sites",
        "UPDATE accounts SET email = 'one@brand.example'",
        "UPDATE links SET net_cents = net_cents - 1 WHERE status = 'cancelled'",
        "UPDATE quotes SET expires_at_ms = 1 WHERE status = 'awaiting_payment'",
        "INSERT INTO payments_set_aside SELECT payment_id, quote_id, 100, 'EUR', 'amount', 0, NULL FROM payments",
        "INSERT INTO reversals SELECT 'ch_' || quote_id, quote_id, 'refund', 100000000, 'final', 0, 0 FROM quotes",
        `UPDATE invoices SET sequence = sequence + 500 WHERE invoice_id = '${second}'`,
        `UPDATE invoices SET total_cents = total_cents + 1, net_cents = net_cents + 1 WHERE invoice_id = '${note}'`,
        // The newest orders count as invoiced only after half a minute.
        "UPDATE invoice_progress SET orders_to = 'ord_s'",
        `DELETE FROM invoices WHERE invoice_id = '${first}'`,
        "DELETE FROM members",
        "INSERT INTO members SELECT 'mem_' || n, 'acc_none', 'twice@brand.example', 'owner', 0, NULL FROM generate_series(1, 2) n",
        `INSERT INTO members SELECT 'mem_viewer' || n, min(account_id), n || '@brand.example', 'viewer', 0, NULL
         FROM accounts, generate_series(1, 2) n GROUP BY n`,
        "INSERT INTO sessions SELECT 'ses_1', 'no hash', 'mem_none', 'link', '', '', 0, 0, NULL, NULL",
        "INSERT INTO top_ups SELECT 'top_1', account_id, 'mem_none', 500, 'paid', 'token', NULL, NULL, 0, 0 FROM accounts LIMIT 1",
        "INSERT INTO top_up_reversals VALUES ('ch_1', 'top_1', 'ch_1', 'refund', 1, 'final', 0)",
        `INSERT INTO invitations (invitation_id, account_id, email, role, created_at_ms, expires_at_ms)
         SELECT 'ivt_' || account_no || '_' || n, account_id, n || '@brand.example', 'viewer', 0, 9e15::bigint
         FROM accounts, generate_series(1, 11) n`,
        "UPDATE accounts SET self_opened = true",
        "INSERT INTO welcome_uses SELECT 'example.lost.', account_id, 'q_lost', NULL FROM accounts",
        `INSERT INTO welcome_uses SELECT DISTINCT ON (account_id) 'example.twice.', account_id, quote_id, NULL, true
         FROM quotes JOIN accounts USING (account_no) WHERE order_id IS NOT NULL ORDER BY account_id, ordered_at_ms`
      )
      const { violations } = yield* reconcile(3)
      expect(new Set(violations.map(({ invariant }) => invariant))).toEqual(new Set(Invariant.literals))
    })
  )
})
