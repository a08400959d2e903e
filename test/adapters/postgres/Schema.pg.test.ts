// Constraints and triggers: what the database itself rejects, tried by statements that bypass the service.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { accountNo } from "#adapters/postgres/rows/AccountRows.ts"
import { topUpOnce } from "#core/decisions/wallet/AdjustCredit.ts"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { openQuote } from "#test/core/ports/ordering/OrderFixtures.ts"
import { abandon, addSubscription, cancelLinkById, pay, storeSessionOf } from "#test/core/ports/ordering/OrderSteps.ts"
import {
  actor,
  buyer,
  insertionInto,
  linksOn,
  listArticle,
  listSite,
  order,
  plainSettings
} from "#test/core/ports/ShopSetup.ts"
import { refuses, run, store } from "./BrokenDatabase.ts"

/** An order paid by credit, which has a row in every table: quote, ledger, order, links, event, binding. */
const bought = Effect.gen(function* () {
  const { caller } = yield* buyer(5_000)
  const site = yield* listSite()
  const article = yield* listArticle(site.siteId)
  const items = [insertionInto(article), ...linksOn(site)]
  const terms = { ...plainSettings, welcomeBasisPoints: 2_000 }
  const placed = yield* order(caller, { items, settings: terms, idempotency: { key: "k", fingerprint: "f" } })
  return { ...placed, ...caller, article }
})

const ofAccount = (accountId: string): string => `account_no = ${accountNo(`'${accountId}'`)}`

const namingQuote = (quoteId: string): ReadonlyArray<string> => [
  `payments VALUES ('pay_${quoteId}', '${quoteId}', 1, 'EUR')`,
  `payments_set_aside VALUES ('set_${quoteId}', '${quoteId}', 1, 'EUR', 'amount', 0, NULL)`,
  `reversals VALUES ('rev_${quoteId}', '${quoteId}', 'refund', 1, 'final', 0, 0)`
]

/** Inserts a copy of a row, with these columns changed. */
const again = (table: string, where: string, columns: Readonly<Record<string, string>>): string =>
  `INSERT INTO ${table} SELECT (jsonb_populate_record(t, '${JSON.stringify(columns)}')).* FROM ${table} t WHERE ${where}`

layer(store, { excludeTestServices: true })("the database refuses", (it) => {
  it.effect("to change or delete a row of the ledger or the audit", () =>
    Effect.gen(function* () {
      const { accountId } = yield* bought
      for (const [table, where] of [
        ["ledger", ofAccount(accountId)],
        ["audit", "true"]
      ] as const) {
        yield* refuses(`UPDATE ${table} SET at_ms = 0 WHERE ${where}`, "only ever added to")
        yield* refuses(`DELETE FROM ${table} WHERE ${where}`, "only ever added to")
        yield* refuses(`TRUNCATE ${table} CASCADE`, "only ever added to")
      }
    })
  )

  it.effect("wallets with a negative hold, or with more held than their balance", () =>
    Effect.gen(function* () {
      const { accountId } = yield* bought
      const set = (columns: string) => `UPDATE accounts SET ${columns} WHERE account_id = '${accountId}'`
      yield* refuses(set("held_cents = balance_cents + 1"), "wallet_is_sound")
      yield* refuses(set("held_cents = -1"), "wallet_is_sound")
      yield* refuses(set("balance_cents = -1, held_cents = -1"), "wallet_is_sound")
    })
  )

  it.effect("ledger entries that do not add up or do not name their cause", () =>
    Effect.gen(function* () {
      const { accountId } = yield* bought
      const line = (columns: Record<string, string>) =>
        again("ledger", `${ofAccount(accountId)} AND kind = 'top_up'`, { entry_id: "led_x", ...columns })
      yield* refuses(line({ balance_delta_cents: "1" }), "deltas_fit_the_kind")
      yield* refuses(line({ held_after_cents: "999999" }), "wallet_was_sound")
      const hold = { kind: "hold", balance_delta_cents: "0" }
      yield* refuses(line(hold), "hold_is_named")
      yield* refuses(line({ ...hold, held_delta_cents: "5000" }), "deltas_fit_the_kind")
      yield* refuses(line({ hold_id: "hld_x", held_delta_cents: "-5000" }), "hold_is_named")
      const capture = (columns: Record<string, string>) =>
        again("ledger", `${ofAccount(accountId)} AND kind = 'capture'`, { entry_id: "led_v", ...columns })
      yield* refuses(capture({ hold_id: "hld_x" }), "deltas_fit_the_kind")
      yield* refuses(capture({ held_delta_cents: "-900" }), "deltas_fit_the_kind")
      yield* refuses(line({ kind: "recredit" }), "recredit_names_its_link")
    })
  )

  it.effect("a hold that begins or ends twice", () =>
    Effect.gen(function* () {
      const { quote: settled } = yield* openQuote
      yield* pay(settled)
      const set = (columns: string) => `UPDATE quotes SET ${columns} WHERE hold_id = '${settled.holdId}'`
      const unordered = "order_id = NULL, ordered_at_ms = NULL, order_status = NULL"
      yield* refuses(set(`status = 'abandoned', abandoned_by = 'human', ${unordered}`), "a quote that is paid")
      yield* refuses(set(`status = 'awaiting_payment', ${unordered}`), "a quote that is paid")
      yield* refuses(set("credit_cents = credit_cents - 1, card_cents = card_cents + 1"), "a quote that is paid")
      const captured = `hold_id = '${settled.holdId}' AND kind = 'capture'`
      yield* refuses(again("ledger", captured, {}), "ledger_pkey")
      yield* refuses(again("ledger", captured, { entry_id: "led_x" }), "hold_ends_once")
      const { quote: open } = yield* openQuote
      const held = `hold_id = '${open.holdId}' AND kind = 'hold'`
      yield* refuses(again("ledger", held, { entry_id: "led_y" }), "hold_begins_once")
      yield* abandon(open, "agent")
      const released = `hold_id = '${open.holdId}' AND kind = 'release'`
      yield* refuses(again("ledger", released, { entry_id: "led_z" }), "hold_ends_once")
    })
  )

  it.effect("a second row for what may happen only once", () =>
    Effect.gen(function* () {
      const { quote, links, keyId } = yield* bought
      const { quoteId } = quote
      const [insertion, plain] = links.map(({ linkId }) => `link_id = '${linkId}'`)
      const ofQuote = `quote_id = '${quoteId}'`
      const another = { quote_id: "q_x", payment_token: "another", takes_welcome: "false" }
      yield* refuses(again("quotes", ofQuote, { ...another, idempotency_key: "another" }), "ordered_once")
      yield* refuses(again("quotes", ofQuote, { ...another, order_id: "ord_x" }), "bound_in_account")
      yield* refuses(again("links", plain ?? "", { link_id: "lnk_x" }), "links_order_id_index_key")
      const elsewhere = again("links", insertion ?? "", { link_id: "lnk_y", index: "7" })
      yield* refuses(elsewhere, "article_linked_once")
      const token = { quote_id: "q_x", payment_token: "another", order_id: "ord_x", idempotency_key: "another" }
      yield* refuses(again("quotes", ofQuote, token), "welcome_once")
      yield* refuses(again("keys", `key_id = '${keyId}'`, { key_id: "key_x" }), "keys_by_hash")
    })
  )

  it.effect("the payment page or session of another quote for an open quote", () =>
    Effect.gen(function* () {
      const { quote } = yield* openQuote
      const { quoteId } = quote
      yield* refuses(again("quotes", `quote_id = '${quoteId}'`, { quote_id: "q_y" }), "quotes_by_token")
      yield* storeSessionOf(quote)
      const session = { quote_id: "q_w", payment_token: "a third" }
      yield* refuses(again("quotes", `quote_id = '${quoteId}'`, session), "quotes_by_session")
    })
  )

  it.effect("a second booking of money, and a second delivery of an event", () =>
    Effect.gen(function* () {
      const { caller } = yield* buyer(5_000)
      const { accountId } = caller
      const { webhookId } = yield* addSubscription(caller)
      const { order: placed, links } = yield* order(caller, { items: linksOn(yield* listSite()) })
      const linkId = links[0]?.linkId ?? LinkId.make("")
      const accepted = `order_id = '${placed?.orderId}' AND type = 'order.accepted'`
      yield* refuses(again("events", accepted, { event_id: "evt_x" }), "event_once")
      yield* cancelLinkById(linkId)
      const line = (where: string) => again("ledger", `${ofAccount(accountId)} AND ${where}`, { entry_id: "led_w" })
      yield* refuses(line(`link_id = '${linkId}'`), "recredit_once")
      const reference = "a transfer"
      const transfer = topUpOnce({ accountId, cents: 100, reference, actor })
      yield* (yield* OrderBook).transact({ _tag: "ForAccount", accountId, reference }, transfer)
      yield* refuses(line(`reference = '${reference}'`), "topped_up_once")
      const sent = `webhook_id = '${webhookId}' AND event = 'order.accepted'`
      yield* refuses(again("deliveries", sent, { delivery_id: "dlv_w" }), "deliveries_webhook_id_event_id_key")
    })
  )

  it.effect("a payment that is counted for two quotes", () =>
    Effect.gen(function* () {
      const { caller } = yield* buyer()
      const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
      yield* pay(quote)
      yield* refuses(again("payments", `quote_id = '${quote.quoteId}'`, {}), "payments_pkey")
    })
  )

  it.effect("quotes whose credit and card amounts do not add up, and an incomplete status", () =>
    Effect.gen(function* () {
      const { quote } = yield* bought
      const set = (columns: string) => `UPDATE quotes SET ${columns} WHERE quote_id = '${quote.quoteId}'`
      yield* refuses(set("card_cents = card_cents + 1"), "purses_pay_the_total")
      yield* refuses(set("order_id = NULL, ordered_at_ms = NULL, order_status = NULL"), "paid_means_ordered")
      yield* refuses(set("ordered_at_ms = NULL"), "order_is_whole")
      yield* refuses(set("order_status = NULL"), "order_is_whole")
      yield* refuses(set("fingerprint = NULL"), "binding_is_whole")
      yield* refuses(set("abandoned_by = 'agent'"), "abandoned_by_somebody")
    })
  )

  it.effect(
    "an incomplete welcome offer or response, a pending delivery without a due time, and a reference on an entry other than a top-up",
    () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(5_000)
        const { accountId, keyId } = caller
        yield* addSubscription(caller)
        yield* order(caller, { items: linksOn(yield* listSite()), idempotency: { key: "k", fingerprint: "f" } })
        const spent = "welcome_state = 'spent', welcome_until_ms = NULL, welcome_quote_id = NULL"
        yield* refuses(`UPDATE accounts SET ${spent} WHERE account_id = '${accountId}'`, "welcome_is_whole")
        yield* refuses(`UPDATE quotes SET answer_body = NULL WHERE key_id = '${keyId}'`, "answer_is_whole")
        yield* refuses(`UPDATE deliveries SET next_attempt_at_ms = NULL WHERE key_id = '${keyId}'`, "pending_means_due")
        const captured = `${ofAccount(accountId)} AND kind = 'capture'`
        yield* refuses(again("ledger", captured, { entry_id: "led_x", reference: "r" }), "reference_is_of_a_top_up")
      })
  )

  it.effect("negative and impossible amounts", () =>
    Effect.gen(function* () {
      const { links, keyId } = yield* bought
      const { quote } = yield* openQuote
      const ofLink = `link_id = '${links[0]?.linkId}'`
      yield* refuses(`UPDATE links SET net_cents = price_cents + 1 WHERE ${ofLink}`, "check constraint")
      yield* refuses(`UPDATE tallies SET spent_cents = -1 WHERE key_id = '${keyId}'`, "check constraint")
      const ofHold = `hold_id = '${quote.holdId}'`
      const less = "credit_cents = credit_cents - 1, card_cents = card_cents + 1"
      yield* refuses(`UPDATE quotes SET ${less} WHERE ${ofHold}`, "a quote that is awaiting_payment")
    })
  )

  it.effect("rows whose parents do not exist or belong to another account", () =>
    Effect.gen(function* () {
      const { keyId, quote } = yield* bought
      yield* refuses(
        again("keys", `key_id = '${keyId}'`, { key_id: "key_z", hash: "z", account_id: "acc_z" }),
        "foreign"
      )
      const otherAccountId = (yield* buyer()).account.accountId
      yield* refuses(
        `UPDATE quotes SET account_no = ${accountNo(`'${otherAccountId}'`)} WHERE key_id = '${keyId}'`,
        "stays with its key"
      )
      yield* refuses(`UPDATE quotes SET key_id = 'key_other' WHERE key_id = '${keyId}'`, "stays with its key")
      yield* refuses(`DELETE FROM keys WHERE key_id = '${keyId}'`, "foreign key")
      yield* refuses(`DELETE FROM quotes WHERE quote_id = '${quote.quoteId}'`, "has links or payments")
      for (const row of namingQuote("q_z")) yield* refuses(`INSERT INTO ${row}`, "quote q_z is not there")
    })
  )

  it.effect("to delete a quote that a payment, a payment set aside or a reversal names", () =>
    Effect.gen(function* () {
      for (const nth of [0, 1, 2]) {
        const { quote } = yield* order((yield* buyer()).caller, { items: linksOn(yield* listSite()) })
        yield* run(`INSERT INTO ${namingQuote(quote.quoteId)[nth]}`)
        yield* refuses(`DELETE FROM quotes WHERE quote_id = '${quote.quoteId}'`, "has links or payments")
      }
    })
  )

  it.effect("an article in two states at once", () =>
    Effect.gen(function* () {
      const { article } = yield* bought
      const set = (columns: string) => `UPDATE articles SET ${columns} WHERE article_id = ${article.articleId}`
      yield* refuses(set("sale_state = 'free'"), "sale_is_whole")
      yield* refuses(set("sale_until_ms = 1"), "sale_is_whole")
    })
  )
})
