// An order request becomes a quote, and at once an order if credit covers it: the split of the payment, and the changes.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { dailyUsageOf, find, linkedId } from "#core/decisions/Books.ts"
import { defaultShopSettings } from "#core/domain/ShopSettings.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { AccountId, HoldId, KeyId, OpportunityId, OrderId, ProjectId } from "#core/domain/shared/Ids.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import { known, movements } from "#test/core/BookReads.ts"
import {
  account,
  given,
  HOUR_MS,
  insertion,
  item,
  NOON,
  orderBy,
  QUOTE_TTL_MS,
  welcomeSpent
} from "#test/core/Given.ts"
import { placed } from "#test/core/RunDecision.ts"

const withCredit = (cents: number) => given({ accounts: [account("acc_rich", cents, welcomeSpent)] })
const TODAY = utcDay(NOON)

describe("credit that covers the net total", () => {
  const { reply, books, written, quoteId } = placed(
    given(),
    orderBy("key_rich", { items: [item(), item({ siteId: 3 })] })
  )
  const { quote, order, links } = reply

  it("makes quote, order and capture in one decision", () => {
    expect(written).toEqual([
      "QuoteOpened",
      "DailyOrderCounted",
      "DailySpendChanged",
      "OrderPlaced",
      "QuoteSettled",
      "CreditCaptured"
    ])
    expect(quote).toMatchObject({
      status: "paid",
      grossCents: 3_500,
      totalCents: 3_500,
      creditCents: 3_500,
      cardCents: 0
    })
    expect(quote).toMatchObject({ accountId: "acc_rich", keyId: "key_rich", mode: "live", paymentUrl: null })
    expect(quote.orderId).toBe(order?.orderId)
  })

  it("replies with what is in the books", () => {
    expect(known(books.quotes, quoteId)).toEqual(quote)
    expect(find(books.orders, order?.orderId ?? OrderId.make(""))).toEqual(order)
    expect(links.map(({ linkId }) => find(books.links, linkId))).toEqual(links)
  })

  it("makes the order of the quote, with a link for each item", () => {
    expect(order).toEqual({
      orderId: quote.orderId,
      quoteId,
      accountId: "acc_rich",
      keyId: "key_rich",
      mode: "live",
      linkIds: links.map(({ linkId }) => linkId),
      totalCents: 3_500,
      createdAtMs: NOON,
      reference: null
    })
    expect(links.map(({ siteId, index, priceCents, netCents }) => [siteId, index, priceCents, netCents])).toEqual([
      [1, 0, 500, 500],
      [3, 1, 3_000, 3_000]
    ])
  })

  it("takes the money from free credit by one entry, without a hold", () => {
    expect(known(books.accounts, "acc_rich").wallet).toEqual({ balanceCents: 6_500, heldCents: 0 })
    expect(movements(books, "acc_rich")).toEqual(["capture 3500"])
    expect(quote.holdId).toBeNull()
    expect(HashMap.size(books.holds)).toBe(0)
  })

  it("counts one quote and its net total against the key's day", () => {
    expect(dailyUsageOf(books, KeyId.make("key_rich"), TODAY)).toEqual({
      keyId: "key_rich",
      day: TODAY,
      quotes: 1,
      spentCents: 3_500
    })
  })
})

describe("a net total of zero", () => {
  const { reply, books } = placed(given(), orderBy("key_poor", { promoCode: "ALL" }))

  it("is an order at once, and nothing moves", () => {
    expect(reply.order).not.toBeNull()
    expect(reply.quote).toMatchObject({ totalCents: 0, creditCents: 0, cardCents: 0, holdId: null, status: "paid" })
    expect(reply.links.map(({ priceCents, netCents }) => [priceCents, netCents])).toEqual([[500, 0]])
    expect(movements(books, "acc_poor")).toEqual([])
  })
})

describe("credit that covers a part", () => {
  const { reply, books, written } = placed(withCredit(1_000), orderBy("key_rich", { items: [item({ siteId: 3 })] }))
  const { quote } = reply

  it("is held, the card pays the rest, and there is no order yet", () => {
    expect(written).toEqual(["QuoteOpened", "DailyOrderCounted", "DailySpendChanged", "HoldPlaced"])
    expect(quote).toMatchObject({ status: "awaiting_payment", totalCents: 3_000, creditCents: 1_000, cardCents: 2_000 })
    expect([reply.order, reply.links, quote.orderId]).toEqual([null, [], null])
    expect(known(books.accounts, "acc_rich").wallet).toEqual({ balanceCents: 1_000, heldCents: 1_000 })
    expect(known(books.holds, quote.holdId ?? HoldId.make(""))).toEqual({
      holdId: quote.holdId,
      accountId: "acc_rich",
      quoteId: quote.quoteId,
      cents: 1_000,
      state: "open",
      expiresAtMs: NOON + QUOTE_TTL_MS
    })
  })

  it("makes a quote that expires after its TTL, with its own token and no link yet", () => {
    expect(quote).toMatchObject({
      createdAtMs: NOON,
      expiresAtMs: NOON + QUOTE_TTL_MS,
      paymentUrl: null,
      sessionId: null
    })
    expect(quote.paymentToken).toMatch(/^[0-9a-z]{32}$/)
    expect(quote.quoteId).not.toContain(quote.paymentToken)
  })

  it("cannot be spent twice while it is held", () => {
    const second = placed(books, orderBy("key_rich"))
    expect(second.reply.quote).toMatchObject({ creditCents: 0, cardCents: 500, holdId: null })
    expect(availableCents(known(second.books.accounts, "acc_rich").wallet)).toBe(0)
  })
})

describe("no credit", () => {
  it("leaves the total to the card and moves no money", () => {
    const { reply, books } = placed(withCredit(0), orderBy("key_rich"))
    expect(reply.quote).toMatchObject({ creditCents: 0, cardCents: 500, holdId: null, status: "awaiting_payment" })
    expect(movements(books, "acc_rich")).toEqual([])
  })
})

describe("a card remainder below the processor's minimum", () => {
  it("is raised to exactly the minimum", () => {
    const { reply, books } = placed(withCredit(480), orderBy("key_rich"))
    expect(reply.quote).toMatchObject({ totalCents: 500, creditCents: 450, cardCents: 50 })
    expect(known(books.accounts, "acc_rich").wallet).toEqual({ balanceCents: 480, heldCents: 450 })
  })
})

describe("the first status of a link", () => {
  const items = [item(), item({ siteId: 2 }), item({ siteId: 3 })]
  const histories = (books = given(), settings = defaultShopSettings) =>
    placed(books, orderBy("key_rich", { items }, { settings })).reply.links.map(({ history }) =>
      history.map((one) => one.status)
    )

  it("is assigned for Plancton, and to assign for the others", () => {
    expect(histories()).toEqual([["to_assign", "assigned"], ["to_assign"], ["to_assign"]])
  })

  it("is to assign for all if fulfilment is manual; the switch overrides the setting", () => {
    const manual = [["to_assign"], ["to_assign"], ["to_assign"]]
    const settings = { ...defaultShopSettings, fulfilment: "manual" as const }
    expect(histories(given(), settings)).toEqual(manual)
    expect(histories({ ...given(), fulfilment: "manual" })).toEqual(manual)
    expect(histories({ ...given(), fulfilment: "auto" }, settings)).toEqual(histories())
  })

  it("comes with everything that its item requested", () => {
    const asked = insertion(12, {
      tier2Links: 3,
      anchorType: "exact",
      projectId: ProjectId.make("prj_rich"),
      opportunityId: OpportunityId.make("opp_rich"),
      brief: "Be kind."
    })
    const { links } = placed(given(), orderBy("key_rich", { items: [asked], promoCode: "TEN" })).reply
    const { targetUrl, anchorText } = asked
    expect(links[0]).toMatchObject({ ...asked, targetUrl, anchorText, domain: "site1.example", shelf: "Plancton" })
    expect(links[0]).toMatchObject({ priceCents: 1_777, netCents: 1_599, status: "assigned", publishedUrl: null })
    expect(links[0]?.history).toEqual([
      { status: "to_assign", atMs: NOON },
      { status: "assigned", atMs: NOON }
    ])
  })

  it("and with nulls for what was not requested", () => {
    const { links } = placed(given(), orderBy("key_rich"), NOON + HOUR_MS).reply
    expect(links[0]).toMatchObject({
      articleId: null,
      projectId: null,
      opportunityId: null,
      brief: null,
      reference: null,
      format: "new_article"
    })
  })
})

describe("warnings", () => {
  const twice = item({ siteId: 2, targetUrl: "https://www.brand.example/page" })
  const linked = (accountId: AccountId) => ({
    ...given(),
    linked: new Set([linkedId(accountId, { siteId: 2, host: "www.brand.example" })])
  })
  const advised = (books = given(), over = {}) =>
    placed(books, orderBy("key_rich", { items: [item(), twice, twice] }, over)).reply.quote.warnings.map(
      ({ code }) => code
    )

  it("list the similar order first, then those of the cart, then sites that already link", () => {
    expect(advised()).toEqual(["duplicate_target"])
    expect(advised(linked(AccountId.make("acc_rich")), { lookAlike: "q_7" })).toEqual([
      "similar_recent_order",
      "duplicate_target",
      "site_already_links",
      "site_already_links"
    ])
  })

  it("ignore links of other accounts", () => {
    expect(advised(linked(AccountId.make("acc_poor")))).toEqual(["duplicate_target"])
  })
})
