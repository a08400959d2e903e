// What rows do not repeat is read again as it was: the lines of an order's links, the text of an answer.
import { layer } from "@effect/vitest"
import { Context, Effect, Layer, type Redacted } from "effect"
import { expect } from "vitest"
import { storedText, type TextForms, textFormRows } from "#adapters/postgres/rows/StoredText.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { paidOrder, welcomeOfferSettings } from "#test/core/ports/ordering/OrderFixtures.ts"
import { buyer, linksOn, listSite, order } from "#test/core/ports/ShopSetup.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { store as brokenStore, corrupt, violationsAbout } from "../BrokenDatabase.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"

class Address extends Context.Service<Address, Redacted.Redacted>()("backlinks/test/Address") {}

const store = Layer.unwrap(
  Effect.map(migratedDatabase, (url) =>
    Layer.mergeAll(storeInstance(url), Layer.succeed(Address, url), UniqueNumbers.layer)
  )
)

const PREFIX = "01k5zqv8dwabcdefghjkmnpqrs"

const TEXTS = [
  "{}",
  "7",
  `1{"quote_id":"q_${PREFIX}00","order":"ord_${PREFIX}03"}2`,
  '{"total_eur":4.50,"at":"2026-11-24T14:56:31.000Z","note":"12 % off, 3.000 € — 日本 ١ 𝟙 \\u0001 \\"0\\"."}',
  "0".repeat(3_000),
  "a1 ".repeat(3_000)
]

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

layer(store, { excludeTestServices: true })("a stored quote", (it) => {
  it.effect("has the lines of its order", () =>
    Effect.gen(function* () {
      const { quote } = yield* paidOrder
      expect(quote.lines).toHaveLength(2)
      const ofQuote = `WHERE quote_id = '${quote.quoteId}'`
      const [stored] = yield* execute(yield* Address, `SELECT lines FROM quotes ${ofQuote}`)
      expect(stored).toEqual([{ lines: [] }])
      expect((yield* (yield* Quotes).byId(quote.quoteId))?.lines).toEqual(quote.lines)
    })
  )

  it.effect("has the text of its answer", () =>
    Effect.gen(function* () {
      const url = yield* Address
      for (const quoteId of [`q_${PREFIX}00`, `q_test_${PREFIX}00`]) {
        const forms: TextForms = new Map()
        const stored = TEXTS.map((text) => storedText(text, QuoteId.make(quoteId), forms))
        const rows = literal(JSON.stringify(textFormRows(forms)))
        const reads = stored.map((one) => `SELECT stored_text(${literal(one)}, '${quoteId}') AS text`)
        // Twice: most forms are there already.
        const written = `SELECT commit_text_forms(${rows})`
        const [, , ...read] = yield* execute(url, written, written, ...reads)
        expect(read.flat()).toEqual(TEXTS.map((text) => ({ text })))
      }
    })
  )

  it.effect("makes no form of an answer whose discount names a domain, and reads the discount as it was", () =>
    Effect.gen(function* () {
      const url = yield* Address
      const items = linksOn(yield* listSite())
      const bought = Effect.gen(function* () {
        const { caller } = yield* buyer(5_000)
        yield* execute(url, `UPDATE accounts SET self_opened = true WHERE account_id = '${caller.accountId}'`)
        return (yield* order(caller, { items, settings: welcomeOfferSettings })).quote
      })
      yield* bought
      const { quoteId, discount } = yield* bought
      const domain = discount.considered[0]?.usedForDomain
      expect(domain).toBeDefined()
      expect((yield* (yield* Quotes).byId(quoteId))?.discount).toEqual(discount)
      const forms = `SELECT form FROM text_forms WHERE strpos(form, '${domain}') > 0`
      expect(yield* execute(url, forms)).toEqual([[]])
    })
  )

  it.effect("is refused if another form has the number of its answer's", () =>
    Effect.gen(function* () {
      const url = yield* Address
      const rows = (form: string) => `SELECT commit_text_forms('[{"form_id": "taken", "form": "${form}"}]')`
      yield* execute(url, rows("one"), rows("one"))
      const refused = yield* Effect.flip(execute(url, rows("other")))
      expect(String(refused.reason.cause)).toContain("two forms of texts have one number")
      const change = yield* Effect.flip(execute(url, "UPDATE text_forms SET form = 'other'"))
      expect(String(change.reason.cause)).toContain("only ever added to")
    })
  )
})

/** Each changes what a row does not repeat: with the subject that reconciliation names. */
const BREAKS = [
  {
    what: "a link at another price than its quote",
    invariant: "quote_adds_up",
    about: ({ quoteId }: Quote) => quoteId,
    sql: (quoteId: string) => `UPDATE links SET price_cents = price_cents + 1 WHERE quote_id = '${quoteId}'`
  },
  {
    what: "an answer whose form is not there",
    invariant: "named_is_there",
    about: () => "other",
    sql: (quoteId: string) => `UPDATE quotes SET answer_body = E'\\x01other 1' WHERE quote_id = '${quoteId}'`
  },
  {
    what: "a quote that takes the welcome offer without its discount",
    invariant: "welcome_is_given_once",
    about: ({ accountId }: Quote) => accountId,
    sql: (quoteId: string) => `UPDATE quotes SET takes_welcome = true WHERE quote_id = '${quoteId}'`
  },
  {
    what: "a day's count of another account than its key's",
    invariant: "named_is_there",
    about: ({ keyId }: Quote) => keyId,
    sql: (quoteId: string) =>
      `UPDATE tallies SET account_no = -7 WHERE key_id = (SELECT key_id FROM quotes WHERE quote_id = '${quoteId}')`
  },
  {
    what: "a quote by the key of another account",
    invariant: "named_is_there",
    about: ({ quoteId }: Quote) => quoteId,
    sql: (quoteId: string) =>
      `UPDATE keys SET account_id = 'acc_other' WHERE key_id = (SELECT key_id FROM quotes WHERE quote_id = '${quoteId}')`
  }
] as const

layer(brokenStore, { excludeTestServices: true })("reconciliation names", (it) => {
  for (const { what, invariant, about, sql } of BREAKS) {
    it.effect(`${what} (${invariant})`, () =>
      Effect.gen(function* () {
        const { quote } = yield* paidOrder
        expect(yield* violationsAbout(about(quote))).toEqual(new Set())
        yield* corrupt(sql(quote.quoteId))
        expect(yield* violationsAbout(about(quote))).toContain(invariant)
      })
    )
  }
})
