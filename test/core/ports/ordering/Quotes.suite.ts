// What every store promises of Quotes: look-ups by every key, and lists of due, linkless and look-alike quotes.
import { Effect } from "effect"
import { expect } from "vitest"
import { unkeyedKey } from "#core/domain/ordering/Idempotency.ts"
import { KeyId, OrderId, PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import {
  buyer,
  definePromo,
  insertionInto,
  linksOn,
  listArticle,
  listSite,
  order,
  plainSettings
} from "../ShopSetup.ts"
import { type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { abandon, pay, storeSessionOf } from "./OrderSteps.ts"

/** Settings under which a quote expires this long after its creation; negative: before it. */
const lasting = (quoteTtlMs: number) => ({ ...plainSettings, quoteTtlMs })

const MINUTE_MS = 60_000
const YEAR_MS = 365 * 86_400_000

export const quotesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Quotes of ${name}`, store, (it) => {
    it.effect("returns a quote as written, by id and by payment token", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const { caller } = yield* buyer(150)
        const site = yield* listSite()
        const article = yield* listArticle(site.siteId)
        const { code } = yield* definePromo()
        const brief = "Keep „Ünïcode“ — 漢字, 🔗 and \\ \" ' as they are."
        const items = [
          { ...insertionInto(article), brief, reference: "PO 1", tier2Links: 3 as const },
          ...linksOn(site)
        ]
        const idempotency = { key: "k", fingerprint: "f" }
        const { quote } = yield* order(caller, {
          items,
          promoCode: code,
          reference: "PO 2",
          lookAlike: QuoteId.make("q_1"),
          idempotency
        })
        expect(quote.warnings.map(({ code }) => code)).toEqual(["similar_recent_order", "duplicate_target"])
        expect(quote).toMatchObject({ creditCents: 150, grossCents: 2_000, totalCents: 1_800, reference: "PO 2" })
        expect(yield* quotes.byId(quote.quoteId)).toEqual(quote)
        expect(yield* quotes.byPaymentToken(quote.paymentToken)).toEqual(quote)
        yield* storeSessionOf(quote, "ses_1")
        const linked = { ...quote, sessionId: PaymentSessionId.make("ses_1"), paymentUrl: "https://pay.example/ses_1" }
        expect(yield* quotes.byId(quote.quoteId)).toEqual(linked)
        const { quote: paid } = yield* pay(quote)
        expect(paid).toMatchObject({ status: "paid", sessionId: "ses_1", lines: quote.lines })
        const found = yield* (yield* Orders).byId(paid.orderId ?? OrderId.make(""))
        expect(found?.order.reference).toBe("PO 2")
        expect(found?.links.map(({ reference }) => reference)).toEqual(["PO 1", null])
        expect(yield* quotes.byPaymentToken(quote.paymentToken)).toEqual(paid)
      })
    )

    it.effect("finds neither a missing quote, nor by payment token one that credit pays in full", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const { caller } = yield* buyer()
        const rich = yield* buyer(1_000)
        const { quote: paid } = yield* order(rich.caller, { items: linksOn(yield* listSite()) })
        expect(paid).toMatchObject({ cardCents: 0 })
        expect(yield* quotes.byPaymentToken(paid.paymentToken)).toBeNull()
        const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
        expect(yield* quotes.byId(QuoteId.make("q_unknown"))).toBeNull()
        expect(yield* quotes.byPaymentToken(quote.quoteId)).toBeNull()
        expect(yield* quotes.byIdempotencyKey(caller, "never used")).toBeNull()
      })
    )

    it.effect("lists open quotes past their expiry, oldest expiry first, of one account or of all", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const { caller } = yield* buyer()
        const rival = yield* buyer()
        const items = linksOn(yield* listSite())
        const made = (settings: ReturnType<typeof lasting>, who = caller) =>
          Effect.map(order(who, { items, settings }), ({ quote }) => quote)
        const late = yield* made(lasting(-10 * YEAR_MS))
        const later = yield* made(lasting(-9 * YEAR_MS))
        const latest = yield* made(lasting(-11 * YEAR_MS))
        const foreign = yield* made(lasting(-12 * YEAR_MS), rival.caller)
        const fresh = yield* made(lasting(YEAR_MS))
        const nowMs = fresh.createdAtMs
        const { accountId } = caller
        const ids = [latest, late, later].map(({ quoteId }) => quoteId)
        expect(yield* quotes.due({ nowMs, limit: 50, accountId })).toEqual(ids)
        expect(yield* quotes.due({ nowMs, limit: 2, accountId })).toEqual(ids.slice(0, 2))
        expect((yield* quotes.due({ nowMs, limit: 4 })).slice(0, 4)).toEqual([foreign.quoteId, ...ids])
        for (const [index, after] of ids.entries()) {
          expect(yield* quotes.due({ nowMs, limit: 50, accountId, after })).toEqual(ids.slice(index + 1))
        }
        expect(yield* quotes.due({ nowMs, limit: 2, after: foreign.quoteId })).toEqual(ids.slice(0, 2))
        expect(yield* quotes.due({ nowMs: late.expiresAtMs, limit: 50, accountId })).toEqual(ids.slice(0, 2))
        expect(yield* quotes.due({ nowMs: late.expiresAtMs - 1, limit: 50, accountId })).toEqual(ids.slice(0, 1))
        yield* abandon(latest, "expiry")
        yield* pay(later)
        expect(yield* quotes.due({ nowMs, limit: 50, accountId })).toEqual([late.quoteId])
        // Also after a quote that is no longer due.
        expect(yield* quotes.due({ nowMs, limit: 50, accountId, after: latest.quoteId })).toEqual([late.quoteId])
      })
    )

    it.effect("lists an account's open quotes of a mode, the last to expire first, up to a limit", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const { caller } = yield* buyer()
        const { accountId } = caller
        const items = linksOn(yield* listSite())
        const made = yield* Effect.all(
          [3, 1, 2, 4, 5].map((hours) => order(caller, { items, settings: lasting(hours * 60 * MINUTE_MS) }))
        )
        const ids = made.map(({ quote }) => quote.quoteId)
        yield* order((yield* buyer()).caller, { items })
        const { quote: pretended } = yield* order({ ...caller, mode: "sandbox" }, { items })
        if (made[3] !== undefined) yield* pay(made[3].quote)
        if (made[4] !== undefined) yield* abandon(made[4].quote, "agent")
        const open = Effect.fnUntraced(function* (mode: "live" | "sandbox", limit: number) {
          return (yield* quotes.open({ accountId, mode, limit })).map(({ quoteId }) => quoteId)
        })
        expect(yield* open("live", 9)).toEqual([ids[0], ids[2], ids[1]])
        expect(yield* open("live", 2)).toEqual([ids[0], ids[2]])
        expect(yield* open("sandbox", 2)).toEqual([pretended.quoteId])
        expect((yield* quotes.open({ accountId, mode: "live", limit: 1 }))[0]).toEqual(made[0]?.quote)
      })
    )

    it.effect("lists live open quotes without a payment link, made before a given time", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const { caller } = yield* buyer(500)
        const sandbox = yield* buyer(0, { mode: "sandbox" })
        const items = linksOn(yield* listSite())
        const covered = yield* order(caller, { items })
        const waiting = yield* order(caller, { items })
        const linked = yield* order(caller, { items })
        const paid = yield* order(caller, { items })
        const abandoned = yield* order(caller, { items })
        const simulated = yield* order(sandbox.caller, { items })
        yield* storeSessionOf(linked.quote)
        yield* pay(paid.quote)
        yield* abandon(abandoned.quote, "agent")
        const made = [covered, waiting, linked, paid, abandoned, simulated].map(({ quote }) => quote.quoteId)
        const { createdAtMs } = waiting.quote
        const listed = yield* quotes.withoutSession({ beforeMs: createdAtMs + YEAR_MS, limit: 1_000 })
        expect(listed.filter((quoteId) => made.includes(quoteId))).toEqual([waiting.quote.quoteId])
        const earlier = yield* quotes.withoutSession({ beforeMs: createdAtMs, limit: 1_000 })
        expect(earlier).not.toContain(waiting.quote.quoteId)
        const { quote: next } = yield* order(caller, { items })
        const beforeMs = next.createdAtMs + YEAR_MS
        expect(yield* quotes.withoutSession({ beforeMs, limit: 1 })).toHaveLength(1)
        const behind = yield* quotes.withoutSession({ beforeMs, limit: 1, after: waiting.quote.quoteId })
        expect(behind).toEqual([next.quoteId])
      })
    )

    it.effect("finds the latest of equal orders without an idempotency key, separately for each API key", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const { caller } = yield* buyer()
        const items = linksOn(yield* listSite())
        const latest = (over: { readonly keyId?: KeyId; readonly fingerprint?: string } = {}) =>
          Effect.map(
            quotes.latestUnkeyed({
              keyId: caller.keyId,
              fingerprint: "f",
              ...over
            }),
            (quote) => quote?.quoteId
          )
        const place = (key: string, fingerprint: string) =>
          Effect.map(order(caller, { items, idempotency: { key, fingerprint } }), ({ quote }) => quote.quoteId)
        expect(yield* latest()).toBeUndefined()
        yield* place("f", "f")
        yield* place(unkeyedKey("ff", 1), "ff")
        expect(yield* latest()).toBeUndefined()
        for (const nth of times(11, (n) => n + 1)) {
          const quoteId = yield* place(unkeyedKey("f", nth), "f")
          expect(yield* latest()).toBe(quoteId)
        }
        expect(yield* latest({ fingerprint: "g" })).toBeUndefined()
        expect(yield* latest({ keyId: KeyId.make("key_other") })).toBeUndefined()
      })
    )

    it.effect("finds the newest look-alike of a key that was not abandoned", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const { caller } = yield* buyer()
        const items = linksOn(yield* listSite())
        const wish = { items, itemsDigest: "digest" }
        const [first, second, third] = yield* Effect.all(times(3, () => order(caller, wish)))
        const ids = [first, second, third].map((one) => one?.quote.quoteId)
        const like = { keyId: caller.keyId, itemsDigest: "digest" }
        expect(yield* quotes.lookAlike(like)).toBe(ids[2])
        if (third !== undefined) yield* abandon(third.quote, "agent")
        expect(yield* quotes.lookAlike(like)).toBe(ids[1])
        if (second !== undefined) yield* pay(second.quote)
        expect(yield* quotes.lookAlike(like)).toBe(ids[1])
        expect(yield* quotes.lookAlike({ ...like, itemsDigest: "another" })).toBeNull()
        expect(yield* quotes.lookAlike({ ...like, keyId: KeyId.make("key_other") })).toBeNull()
      })
    )

    it.effect("finds a look-alike for ten minutes, at any time of day, also with a clock that is behind", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const { caller } = yield* buyer()
        const { quote } = yield* order(caller, { items: linksOn(yield* listSite()), itemsDigest: "digest" })
        const at = (pastMs: number) =>
          quotes.lookAlike({ keyId: caller.keyId, itemsDigest: "digest", atMs: quote.createdAtMs + pastMs })
        // At -10, 0 and 10 the quote is in the third, second and first of the windows into which a store may divide time.
        const minutes = [-10, -5, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        for (const minute of minutes) expect(yield* at(minute * MINUTE_MS)).toBe(quote.quoteId)
        expect(yield* at(10 * MINUTE_MS + 1)).toBeNull()
        expect(yield* at(YEAR_MS)).toBeNull()
      })
    )
  })
