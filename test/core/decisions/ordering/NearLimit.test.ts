// Owners are told once a day and key that four fifths of a limit of its day are used, by the order that comes to it.
import { HashMap } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import { noLimits, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import { nearLimit } from "#core/domain/ordering/DailyCap.ts"
import { account, given, HOUR_MS, item, key, NOON, orderBy, welcomeSpent } from "#test/core/Given.ts"
import { placed, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

type Books = ReturnType<typeof given>

const limited = (limits: Partial<SpendLimits>) =>
  given({ keys: [key("key_rich", "acc_rich", { label: "Claude", limits: { ...noLimits, ...limits } })] })

const toldIn = (books: Books) => [...HashMap.values(books.audit)].filter(({ action }) => action.endsWith(".near_limit"))

/** Links at 5 EUR each, one after another. */
const orders = (books: Books, count: number, atMs = NOON) =>
  Array.from({ length: count }).reduce<Books>((after) => placed(after, orderBy("key_rich"), atMs).books, books)

describe("most of a daily limit", () => {
  it("of spending is told by the order that reaches four fifths, and not again that day", () => {
    const start = limited({ maxDayCents: 2_500, dailyOrderCap: 0 })
    const three = orders(start, 3)
    expect(toldIn(three)).toEqual([])
    const [told, ...more] = toldIn(orders(three, 2))
    expect(more).toEqual([])
    expect(told).toMatchObject({
      action: "key.near_limit",
      actor: "key_rich",
      subject: "key_rich",
      details: { label: "Claude", limit: "cents", used: 2_000, of: 2_500 }
    })
  })

  it("of orders is told, too, and every day anew", () => {
    const start = limited({ dailyOrderCap: 5 })
    const first = orders(start, 5)
    const second = orders(first, 4, NOON + 24 * HOUR_MS)
    expect(toldIn(second).map(({ details }) => details)).toEqual([
      { label: "Claude", limit: "orders", used: 4, of: 5 },
      { label: "Claude", limit: "orders", used: 4, of: 5 }
    ])
  })

  it("is told once although it is used, given back and used again", () => {
    const books = given({
      accounts: [account("acc_rich", 0, welcomeSpent)],
      keys: [key("key_rich", "acc_rich", { limits: { ...noLimits, maxDayCents: 1_000, dailyOrderCap: 0 } })]
    })
    const asked = orderBy("key_rich", { items: [item(), item()] })
    const quoted = placed(books, asked)
    expect(quoted.reply.order).toBe(null)
    expect(toldIn(quoted.books)).toHaveLength(1)
    const back = when(quoted.books, abandonQuote(quoted.quoteId, "human"), NOON + HOUR_MS)
    expect(toldIn(placed(back.books, asked, NOON + HOUR_MS).books)).toHaveLength(1)
  })

  it("is nothing without a limit, and in the sandbox", () => {
    expect(toldIn(orders(limited({ dailyOrderCap: 0 }), 4))).toEqual([])
    const limits = { ...noLimits, dailyOrderCap: 1 }
    const sandbox = given({ keys: [key("key_rich_test", "acc_rich", { mode: "sandbox", limits })] })
    expect(toldIn(placed(sandbox, orderBy("key_rich_test")).books)).toEqual([])
  })

  const amount = fc.integer({ min: 0, max: 1_000 })

  property(
    "is four fifths, to the cent",
    [amount, amount, fc.integer({ min: 1, max: 1_000 })],
    (quotes, spentCents, limit) => {
      const near = nearLimit({ quotes, spentCents }, { maxDayCents: limit, dailyOrderCap: 0 })
      expect(near !== null).toBe(spentCents >= 0.8 * limit)
      expect(nearLimit({ quotes, spentCents }, { maxDayCents: null, dailyOrderCap: limit })?.used).toBe(
        quotes >= 0.8 * limit ? quotes : undefined
      )
    }
  )
})
