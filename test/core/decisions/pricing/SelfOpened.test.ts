// The bounds of accounts that opened themselves, over arbitrary histories of several of them.
import { HashMap } from "effect"
import fc from "fast-check"
import { describe, expect } from "vitest"
import { type Books, find } from "#core/decisions/Books.ts"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import { placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import { topUp } from "#core/decisions/wallet/AdjustCredit.ts"
import { isUnpaid } from "#core/domain/members/Account.ts"
import { isOpen, type Quote } from "#core/domain/ordering/Quote.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
import { defaultShopSettings } from "#core/domain/ShopSettings.ts"
import { AccountId, KeyId, PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { account, article, given, item, key, NOON, orderBy, rules, stock } from "#test/core/Given.ts"
import { decide } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const ARTICLES = [11, 12, 14]
const settings = { ...defaultShopSettings, dailyOrderCap: 0 }

const shop = (): Books =>
  given({
    accounts: [
      account("acc_rich", 0, { selfOpened: true }),
      account("acc_poor", 0, { selfOpened: true }),
      account("acc_known", 0)
    ],
    keys: [...stock.keys, key("key_known", "acc_known")],
    articles: ARTICLES.map((id) => article(id))
  })

const step = fc.record({
  who: fc.constantFrom("acc_rich", "acc_poor", "acc_known"),
  what: fc.constantFrom("order", "order", "order", "abandon", "pay", "top_up"),
  host: fc.constantFrom("brand.example", "www.brand.example", "shop.brand.example", "other.example"),
  articleId: fc.constantFrom(undefined, ...ARTICLES),
  hours: fc.constantFrom(0, 0, 1, 30)
})
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const quotesOf = (books: Books, accountId: string): ReadonlyArray<Quote> =>
  Array.from(HashMap.values(books.quotes)).filter((quote) => quote.accountId === accountId)

/** The registrable domain of these hosts. */
const registrable = (one: { readonly targetUrl: string }): string => targetHost(one).split(".").slice(-2).join(".")

const orderOf = ({ who, host, articleId }: Step) => {
  const target = { targetUrl: `https://${host}/` }
  const items = [item(articleId === undefined ? target : { ...target, format: "insertion", articleId })]
  const caller = {
    keyId: KeyId.make(`key_${who.slice(4)}`),
    accountId: AccountId.make(who),
    mode: "live",
    scopes: ["order"]
  } as const
  return placeOrder({
    ...orderBy("key_rich", { items, targetDomains: items.map(registrable) }, { settings }),
    caller: { ...orderBy("key_rich").caller, ...caller }
  })
}

const run = (books: Books, one: Step, nowMs: number): Books => {
  const { who, what } = one
  const quote = quotesOf(books, who).find(isOpen)
  const decisions = {
    order: orderOf(one),
    top_up: topUp({ accountId: AccountId.make(who), cents: 100, reference: "transfer", actor: "ada" }),
    abandon: abandonQuote(quote?.quoteId ?? QuoteId.make(""), "agent"),
    pay: settlePayment(
      {
        paymentId: PaymentId.make(`pay_${quote?.quoteId}`),
        quoteId: quote?.quoteId ?? QuoteId.make(""),
        amountCents: quote?.cardCents ?? 0,
        currency: "EUR"
      },
      rules
    )
  }
  const outcome = decide<unknown>(books, decisions[what], nowMs)
  return outcome._tag === "Success" ? outcome.success.books : books
}

/** Quotes that have the welcome offer at this time. */
const withOffer = (books: Books, nowMs: number): ReadonlyArray<Quote> =>
  Array.from(HashMap.values(books.quotes)).filter(
    (quote) =>
      quote.discount.source === "welcome" && (quote.status === "paid" || (isOpen(quote) && quote.expiresAtMs > nowMs))
  )

const domainsOf = ({ lines }: Quote) => lines.map(({ item }) => registrable(item))

describe("accounts that opened themselves", () => {
  property(
    "none is offered what another account has spent for its domain, and an unpaid one never reserves two articles",
    [fc.array(step, { maxLength: 20 })],
    (steps) => {
      let books = shop()
      let nowMs = NOON
      for (const one of steps) {
        nowMs += one.hours * 3_600_000
        const before = books
        books = run(books, one, nowMs)
        const spent = withOffer(before, nowMs).filter(({ status }) => status === "paid")
        for (const quote of withOffer(books, nowMs)) {
          if (find(before.quotes, quote.quoteId) !== undefined) continue
          if (!find(books.accounts, quote.accountId)?.selfOpened) continue
          for (const other of spent) expect(domainsOf(other)).not.toEqual(domainsOf(quote))
        }
        for (const holder of HashMap.values(books.accounts)) {
          const paid = quotesOf(books, holder.accountId).some(
            ({ status, creditedCents }) => status === "paid" || creditedCents > 0
          )
          if (holder.selfOpened) expect(isUnpaid(holder)).toBe(!paid && holder.wallet.balanceCents === 0)
          else expect(holder).not.toHaveProperty("paidAtMs")
          if (!isUnpaid(holder)) continue
          const reserved = Array.from(HashMap.values(books.articles)).filter(
            ({ sale }) =>
              sale.state === "reserved" &&
              sale.untilMs > nowMs &&
              find(books.quotes, sale.quoteId)?.accountId === holder.accountId
          )
          expect(reserved.length).toBeLessThanOrEqual(1)
        }
      }
    }
  )

  property(
    "of those that order for one domain and pay in turn, the first has the offer, and so has an account that an operator knows",
    [fc.shuffledSubarray(["acc_rich", "acc_poor", "acc_known"] as const, { minLength: 1 })],
    (accounts) => {
      let books = shop()
      for (const who of accounts) {
        const one = { who, what: "order", host: "brand.example", articleId: undefined, hours: 0 } as const
        books = run(run(books, one, NOON), { ...one, what: "pay" }, NOON)
      }
      const sources = accounts.map((who) => quotesOf(books, who)[0]?.discount.source)
      const expected = accounts.map((who, nth) => (nth === 0 || who === "acc_known" ? "welcome" : "none"))
      expect(sources).toEqual(expected)
    }
  )
})
