// When a quote may take the welcome offer.
import { describe, expect, it } from "vitest"
import { type WelcomeOffer, welcomeIsFree } from "#core/domain/members/Account.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { NOON } from "#test/core/Given.ts"

describe("the welcome offer", () => {
  const reserved: WelcomeOffer = { state: "reserved", quoteId: QuoteId.make("q_1"), untilMs: NOON }

  it.each<readonly [string, WelcomeOffer, number, QuoteId | undefined, boolean]>([
    ["available", { state: "available" }, NOON, undefined, true],
    ["reserved by an open quote", reserved, NOON - 1, undefined, false],
    ["reserved by another open quote", reserved, NOON - 1, QuoteId.make("q_2"), false],
    ["reserved by this very quote", reserved, NOON - 1, QuoteId.make("q_1"), true],
    ["reserved by a quote that has expired", reserved, NOON, QuoteId.make("q_2"), true],
    ["spent", { state: "spent", quoteId: QuoteId.make("q_1") }, NOON, undefined, false],
    ["spent by this very quote", { state: "spent", quoteId: QuoteId.make("q_1") }, NOON, QuoteId.make("q_1"), false]
  ])("%s", (_, welcome, nowMs, quoteId, free) => {
    expect(welcomeIsFree(welcome, nowMs, quoteId)).toBe(free)
  })
})
