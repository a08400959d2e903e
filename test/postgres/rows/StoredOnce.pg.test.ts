// What a quote's row does not repeat is read again as it was: the lines of its order's links, and the text of its answer.
import { layer } from "@effect/vitest"
import { Context, Effect, Layer, type Redacted } from "effect"
import { expect } from "vitest"
import { type AnswerForms, answerFormRows, storedAnswer } from "#adapters/postgres/rows/StoredAnswer.ts"
import { Quotes } from "#core/ports/Quotes.ts"
import { paidOrder } from "#test/ports/OrderFixtures.ts"
import { UniqueNumbers } from "#test/ports/StoreSuite.ts"
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
        const forms: AnswerForms = new Map()
        const stored = TEXTS.map((text) => storedAnswer(text, quoteId, forms))
        const rows = literal(JSON.stringify(answerFormRows(forms)))
        const reads = stored.map((one) => `SELECT answer_text(${literal(one)}, '${quoteId}') AS text`)
        // Twice: most forms are there already.
        const written = `SELECT commit_answer_forms(${rows})`
        const [, , ...read] = yield* execute(url, written, written, ...reads)
        expect(read.flat()).toEqual(TEXTS.map((text) => ({ text })))
      }
    })
  )

  it.effect("is refused if another form has the number of its answer's", () =>
    Effect.gen(function* () {
      const url = yield* Address
      const rows = (form: string) => `SELECT commit_answer_forms('[{"form_id": "taken", "form": "${form}"}]')`
      yield* execute(url, rows("one"), rows("one"))
      const refused = yield* Effect.flip(execute(url, rows("other")))
      expect(String(refused.reason.cause)).toContain("two forms of answers have one number")
      const change = yield* Effect.flip(execute(url, "UPDATE answer_forms SET form = 'other'"))
      expect(String(change.reason.cause)).toContain("only ever added to")
    })
  )
})

/** Each changes what a row does not repeat: with the subject that reconciliation names. */
const BREAKS = [
  {
    what: "a settlement of a quote that has no such hold",
    invariant: "hold_ends_once",
    about: () => `q_${"0".repeat(28)}`,
    sql: (quoteId: string) =>
      `UPDATE ledger_rows SET entry_id = 'led_${"0".repeat(26)}02' WHERE entry_id = 'led_${quoteId.slice(2, -2)}02'`
  },
  {
    what: "a link at another price than its quote",
    invariant: "quote_adds_up",
    about: (quoteId: string) => quoteId,
    sql: (quoteId: string) => `UPDATE links SET price_cents = price_cents + 1 WHERE quote_id = '${quoteId}'`
  },
  {
    what: "an answer whose form is not there",
    invariant: "named_is_there",
    about: () => "other",
    sql: (quoteId: string) => `UPDATE quotes SET answer_body = E'\\x01other 1' WHERE quote_id = '${quoteId}'`
  }
] as const

layer(brokenStore, { excludeTestServices: true })("reconciliation names", (it) => {
  for (const { what, invariant, about, sql } of BREAKS) {
    it.effect(`${what} (${invariant})`, () =>
      Effect.gen(function* () {
        const { quoteId } = (yield* paidOrder).quote
        expect(yield* violationsAbout(about(quoteId))).toEqual(new Set())
        yield* corrupt(sql(quoteId))
        expect(yield* violationsAbout(about(quoteId))).toContain(invariant)
      })
    )
  }
})
