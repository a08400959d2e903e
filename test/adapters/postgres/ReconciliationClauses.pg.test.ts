// Each invariant has several clauses. Every test violates one of them, while the others hold.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { accountNo } from "#adapters/postgres/rows/AccountRows.ts"
import type { Invariant } from "#core/domain/operations/Invariant.ts"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { openQuote, paidOrder } from "#test/core/ports/ordering/OrderFixtures.ts"
import { abandon, cancelLinkById, pay } from "#test/core/ports/ordering/OrderSteps.ts"
import { buyer, createOpportunity, createProject, linksOn, listSite, order } from "#test/core/ports/ShopSetup.ts"
import { corrupt, store, violationsAbout } from "./BrokenDatabase.ts"

interface Facts {
  /** An order of two links at 5.00 EUR, paid by credit: one in an article, the other plain. */
  readonly paid: Effect.Success<typeof paidOrder>
  /** 2.00 EUR of credit and 2.50 EUR by card; abandoned, and paid afterwards. */
  readonly late: Effect.Success<typeof openQuote>
  /** The same, still open. */
  readonly waiting: Effect.Success<typeof openQuote>
  /** An open quote without any credit. */
  readonly plainQuoteId: string
}

const facts = Effect.gen(function* () {
  const paid = yield* paidOrder
  const late = yield* openQuote
  yield* abandon(late.quote, "agent")
  yield* pay(late.quote)
  const { caller } = yield* buyer()
  const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
  return { paid, late, waiting: yield* openQuote, plainQuoteId: quote.quoteId } satisfies Facts
})

interface Break {
  readonly what: string
  readonly invariant: Invariant
  readonly about: (facts: Facts) => string
  readonly sql: (facts: Facts) => ReadonlyArray<string>
  /** Cancels the plain link first, so that its price is recredited. */
  readonly cancelled?: true
}

const ofPaid = ({ paid }: Facts): string => paid.quote.quoteId
const ofOrder = ({ paid }: Facts): string => paid.orderId
const ofLink = ({ paid }: Facts): string => paid.plain
const ofLate = ({ late }: Facts): string => late.quoteId
const ofOpen = ({ waiting }: Facts): string => waiting.quoteId
/** Stores the lines as earlier versions did. */
const storeLines = (all: Facts): string =>
  `UPDATE quotes SET lines = lines_of(order_id) WHERE quote_id = '${ofPaid(all)}'`

const BREAKS: ReadonlyArray<Break> = [
  {
    what: "the address of an older account, in another spelling",
    invariant: "email_is_unique",
    about: ({ waiting }) => waiting.accountId,
    sql: ({ waiting, paid }) => [
      `UPDATE accounts SET email = ' ' || upper((SELECT email FROM accounts WHERE account_id = '${paid.accountId}'))
       WHERE account_id = '${waiting.accountId}'`
    ]
  },
  {
    what: "a late payment that was booked as something else",
    invariant: "payment_is_kept",
    about: ofLate,
    sql: (all) => [`UPDATE ledger SET kind = 'top_up' WHERE kind = 'late_payment' AND quote_id = '${ofLate(all)}'`]
  },
  {
    what: "a paid quote that names another order",
    invariant: "named_is_there",
    about: ofOrder,
    sql: (all) => [`UPDATE quotes SET order_id = 'ord_other' WHERE quote_id = '${ofPaid(all)}'`]
  },
  ...["ordered_at_ms", "order_status"].map(
    (column): Break => ({
      what: `an order without its ${column}`,
      invariant: "quote_has_its_order",
      about: ofPaid,
      sql: (all) => [
        "ALTER TABLE quotes DROP CONSTRAINT IF EXISTS order_is_whole",
        `UPDATE quotes SET ${column} = NULL WHERE quote_id = '${ofPaid(all)}'`
      ]
    })
  ),
  {
    what: "the price of a cancelled link that was recredited to another account",
    invariant: "recredited_once",
    about: ofLink,
    sql: (all) => [`UPDATE ledger SET account_no = -1 WHERE kind = 'recredit' AND link_id = '${ofLink(all)}'`],
    cancelled: true
  },
  {
    what: "the price of a cancelled link that came back in two parts",
    invariant: "recredited_once",
    about: ofLink,
    sql: (all) => {
      const entry = `kind = 'recredit' AND link_id = '${ofLink(all)}'`
      return [
        "DROP INDEX IF EXISTS recredit_once",
        `UPDATE ledger SET amount_cents = 250, balance_delta_cents = 250 WHERE ${entry}`,
        `CREATE TEMPORARY TABLE half AS SELECT * FROM ledger WHERE ${entry}`,
        "UPDATE half SET entry_id = entry_id || 'b'",
        "INSERT INTO ledger SELECT * FROM half"
      ]
    },
    cancelled: true
  },
  {
    what: "too much for a cancelled link",
    invariant: "recredited_once",
    about: ofLink,
    sql: (all) => [
      `UPDATE ledger SET amount_cents = amount_cents + 1, balance_delta_cents = balance_delta_cents + 1
       WHERE kind = 'recredit' AND link_id = '${ofLink(all)}'`
    ],
    cancelled: true
  },
  {
    what: "a quote with credit that names no hold",
    invariant: "hold_fits_quote",
    about: ofOpen,
    sql: (all) => [`UPDATE quotes SET hold_id = NULL WHERE quote_id = '${ofOpen(all)}'`]
  },
  {
    what: "a quote without credit that names a hold",
    invariant: "hold_fits_quote",
    about: ({ plainQuoteId }) => plainQuoteId,
    sql: ({ plainQuoteId }) => [`UPDATE quotes SET hold_id = 'hld_other' WHERE quote_id = '${plainQuoteId}'`]
  },
  {
    what: "purses that do not pay the total",
    invariant: "quote_adds_up",
    about: ofOpen,
    sql: (all) => [
      "ALTER TABLE quotes DROP CONSTRAINT IF EXISTS purses_pay_the_total",
      `UPDATE quotes SET card_cents = card_cents + 1 WHERE quote_id = '${ofOpen(all)}'`
    ]
  },
  {
    what: "a discount that is not what was taken off",
    invariant: "quote_adds_up",
    about: ofOpen,
    sql: (all) => [
      `UPDATE quotes SET discount = jsonb_set(discount::jsonb, '{amountCents}', '51')
       WHERE quote_id = '${ofOpen(all)}'`
    ]
  },
  {
    what: "a line of the ledger that leaves more on hold than it should",
    invariant: "ledger_runs_on",
    about: ({ late }) => `led_zz/${late.accountId}`,
    // It stays the last entry of its account.
    sql: ({ late }) => [
      `UPDATE ledger SET held_after_cents = held_after_cents + 1, entry_id = 'led_zz/${late.accountId}'
       WHERE kind = 'late_payment' AND quote_id = '${late.quoteId}'`
    ]
  },
  ...["site_id = 999999", "price_cents = price_cents + 1", "account_no = -1", "mode = 'sandbox'"].map(
    (change): Break => ({
      what: `a link that is not as it was quoted: ${change}`,
      invariant: "order_has_its_links",
      about: ofOrder,
      sql: (all) => [storeLines(all), `UPDATE links SET ${change} WHERE link_id = '${ofLink(all)}'`]
    })
  ),
  {
    what: "links at other net prices than they were quoted, though the sum is the same",
    invariant: "order_has_its_links",
    about: ofOrder,
    sql: (all) => [
      storeLines(all),
      `UPDATE quotes SET lines = jsonb_set(jsonb_set(lines, '{0,netCents}', '499'), '{1,netCents}', '501')
       WHERE quote_id = '${ofPaid(all)}'`
    ]
  },
  {
    what: "a code that is used by a quote whose discount is not by it",
    invariant: "promo_is_counted",
    about: () => "OTHER",
    sql: (all) => [`UPDATE quotes SET promo_code = 'OTHER' WHERE quote_id = '${ofOpen(all)}'`]
  },
  {
    what: "an article that was sold to another quote than the one with the link",
    invariant: "article_is_sold_once",
    about: ({ paid }) => String(paid.article.articleId),
    sql: ({ paid }) => [`UPDATE articles SET sale_quote_id = 'q_other' WHERE article_id = ${paid.article.articleId}`]
  }
]

layer(store, { excludeTestServices: true })("reconciliation of a broken row names", (it) => {
  for (const { what, invariant, about, sql, cancelled } of BREAKS) {
    it.effect(`${what} (${invariant})`, () =>
      Effect.gen(function* () {
        const all = yield* facts
        if (cancelled) yield* cancelLinkById(all.paid.plain)
        const subject = about(all)
        expect(yield* violationsAbout(subject)).toEqual(new Set())
        yield* corrupt(...sql(all))
        expect([...(yield* violationsAbout(subject))]).toContain(invariant)
      })
    )
  }

  it.effect("what is named and is not there, by each table that names it (named_is_there)", () =>
    Effect.gen(function* () {
      const { paid, waiting } = yield* facts
      const { projectId } = yield* createProject(paid.accountId)
      const { opportunityId } = yield* createOpportunity(projectId)
      yield* corrupt(
        `UPDATE keys SET account_id = 'acc_of_key' WHERE key_id = '${paid.keyId}'`,
        `UPDATE ledger SET account_no = -990004 WHERE account_no = ${accountNo(`'${paid.accountId}'`)} AND kind = 'top_up'`,
        `UPDATE quotes SET account_no = -990005, key_id = 'key_of_quote' WHERE quote_id = '${paid.quote.quoteId}'`,
        `UPDATE subscriptions SET key_id = 'key_of_subscription' WHERE key_id = '${paid.keyId}'`,
        `UPDATE opportunities SET project_id = 'prj_of_opportunity' WHERE opportunity_id = '${opportunityId}'`,
        `UPDATE projects SET account_id = 'acc_of_project' WHERE project_id = '${projectId}'`,
        `UPDATE articles SET site_id = 990001 WHERE article_id = ${paid.article.articleId}`,
        `UPDATE links SET site_id = 990002, article_id = 990003, project_id = 'prj_of_link', opportunity_id = 'opp_of_link'
         WHERE link_id = '${paid.plain}'`,
        `UPDATE quotes SET promo_code = 'CODE_OF_QUOTE' WHERE quote_id = '${waiting.quoteId}'`
      )
      const { violations } = yield* (yield* Reconciliation).reconcile(1_000)
      const found = violations.filter(
        ({ invariant, subject }) => invariant === "named_is_there" && /_of_|^-?99000/i.test(subject)
      )
      expect(found.map(({ subject, message }) => `${subject}: ${message.split(" ").at(-1)}`).toSorted()).toEqual([
        "-990004: ledger",
        "-990005: quotes",
        "990001: articles",
        "990002: links",
        "990003: links",
        "CODE_OF_QUOTE: promo_uses",
        "acc_of_key: keys",
        "acc_of_project: projects",
        "key_of_quote: quotes",
        "key_of_subscription: subscriptions",
        "opp_of_link: links",
        "prj_of_link: links",
        "prj_of_opportunity: opportunities"
      ])
    })
  )
})
