// When a code may be used, and its discount. The reasons for a refusal are defined here a second time.
import { HashSet, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { normaliseCode, type Promo, type PromoUse, reductionCents, usePromo } from "#core/domain/pricing/Promo.ts"
import { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import { basisPoints, cents } from "#test/core/Arbitraries.ts"
import { NOON, promo } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const use = (over: Partial<PromoUse> = {}): PromoUse => ({
  accountId: AccountId.make("acc_1"),
  grossCents: 2_600,
  nowMs: NOON,
  ...over
})

const reserved = (quoteId: string, accountId: string, untilMs: number) => ({
  quoteId: QuoteId.make(quoteId),
  accountId: AccountId.make(accountId),
  untilMs
})

describe("normaliseCode", () => {
  it("ignores case and outer white space", () => {
    expect(normaliseCode(" ten ")).toBe("TEN")
    expect(normaliseCode("Ten")).toBe(normaliseCode("tEN"))
  })
})

describe("reductionCents", () => {
  it("takes a percentage, rounded half up", () => {
    expect(reductionCents({ kind: "percent", basisPoints: 1_000 }, 2_605)).toBe(261)
  })

  it("takes a fixed amount", () => {
    expect(reductionCents({ kind: "fixed", cents: 500 }, 2_600)).toBe(500)
  })

  it("takes at most the gross", () => {
    expect(reductionCents({ kind: "fixed", cents: 500 }, 499)).toBe(499)
    expect(reductionCents({ kind: "percent", basisPoints: 20_000 }, 499)).toBe(499)
  })

  property("takes everything at 100 % and nothing at 0 %", [cents], (gross) => {
    expect(reductionCents({ kind: "percent", basisPoints: 10_000 }, gross)).toBe(gross)
    expect(reductionCents({ kind: "percent", basisPoints: 0 }, gross)).toBe(0)
  })

  property("grows with the rate and never passes the gross", [cents, basisPoints, basisPoints], (gross, one, other) => {
    const less = reductionCents({ kind: "percent", basisPoints: Math.min(one, other) }, gross)
    const more = reductionCents({ kind: "percent", basisPoints: Math.max(one, other) }, gross)
    expect(0 <= less && less <= more && more <= gross).toBe(true)
  })
})

describe("usePromo", () => {
  const examples: ReadonlyArray<readonly [string, Partial<Promo>, Partial<PromoUse>, string | number]> = [
    ["no conditions", {}, {}, 260],
    ["at its start", { startsAtMs: NOON }, {}, 260],
    ["a millisecond before its start", { startsAtMs: NOON + 1 }, {}, "not_started"],
    ["a millisecond before its end", { endsAtMs: NOON + 1 }, {}, 260],
    ["at its end", { endsAtMs: NOON }, {}, "expired"],
    ["exactly the minimum", { minimumCents: 2_600 }, {}, 260],
    ["a cent below the minimum", { minimumCents: 2_601 }, {}, "minimum_not_met"],
    ["its last redemption", { maxRedemptions: 3, redeemed: 2 }, {}, 260],
    ["no redemption left", { maxRedemptions: 3, redeemed: 3 }, {}, "exhausted"],
    ["no redemptions at all", { maxRedemptions: 0 }, {}, "exhausted"],
    [
      "the last redemption reserved by an open quote",
      { maxRedemptions: 3, redeemed: 2, reservations: [reserved("q_2", "acc_2", NOON + 1)] },
      {},
      "exhausted"
    ],
    [
      "the last redemption reserved by a quote that has expired",
      { maxRedemptions: 3, redeemed: 2, reservations: [reserved("q_2", "acc_2", NOON)] },
      {},
      260
    ],
    [
      "the last redemption reserved by this quote itself",
      { maxRedemptions: 3, redeemed: 2, reservations: [reserved("q_1", "acc_1", NOON + 1)] },
      { quoteId: QuoteId.make("q_1") },
      260
    ],
    ["used by another account", { oncePerAccount: true, redeemedBy: HashSet.make("acc_2") }, {}, 260],
    ["used by this account", { oncePerAccount: true, redeemedBy: HashSet.make("acc_1") }, {}, "already_used"],
    ["used by this account, but for all to use again", { redeemedBy: HashSet.make("acc_1") }, {}, 260],
    [
      "reserved by another open quote of this account",
      { oncePerAccount: true, reservations: [reserved("q_2", "acc_1", NOON + 1)] },
      { quoteId: QuoteId.make("q_1") },
      "already_used"
    ],
    [
      "reserved by an open quote of another account",
      { oncePerAccount: true, reservations: [reserved("q_2", "acc_2", NOON + 1)] },
      {},
      260
    ],
    [
      "reserved by a quote of this account that has expired",
      { oncePerAccount: true, reservations: [reserved("q_2", "acc_1", NOON)] },
      {},
      260
    ]
  ]

  it.each(examples)("%s", (_, conditions, by, expected) => {
    const result = usePromo(promo("TEN", conditions), use(by))
    expect(result).toEqual(typeof expected === "number" ? Result.succeed(expected) : Result.fail(expected))
  })

  it("refuses an unknown code", () => {
    expect(usePromo(undefined, use())).toEqual(Result.fail("unknown"))
  })

  const near = fc.integer({ min: -2, max: 2 }).map((ms) => NOON + ms)
  const few = fc.integer({ min: 0, max: 4 })
  const who = fc.constantFrom("acc_1", "acc_2", "acc_3").map((id) => AccountId.make(id))
  const anyPromo = fc
    .record({
      minimumCents: fc.option(fc.constantFrom(0, 2_599, 2_600, 2_601)),
      startsAtMs: fc.option(near),
      endsAtMs: fc.option(near),
      maxRedemptions: fc.option(few),
      oncePerAccount: fc.boolean(),
      redeemed: few,
      redeemedBy: fc.array(who, { maxLength: 2 }).map(HashSet.fromIterable),
      reservations: fc.uniqueArray(
        fc.record({
          quoteId: fc.constantFrom("q_1", "q_2", "q_3").map((id) => QuoteId.make(id)),
          accountId: who,
          untilMs: near
        }),
        { selector: ({ quoteId }) => quoteId }
      )
    })
    .map((conditions) => promo("TEN", conditions))

  /** All reasons that apply, by their definition. */
  const reasons = (one: Promo, { accountId, grossCents, nowMs, quoteId }: PromoUse): ReadonlyArray<string> => {
    const inTheWay = one.reservations.filter((other) => other.quoteId !== quoteId && other.untilMs > nowMs)
    const mine = inTheWay.filter((other) => other.accountId === accountId)
    const taken = one.redeemed + inTheWay.length
    const terms = [
      ...((one.startsAtMs ?? nowMs) > nowMs ? ["not_started"] : []),
      ...((one.endsAtMs ?? nowMs + 1) <= nowMs ? ["expired"] : []),
      ...(grossCents < (one.minimumCents ?? 0) ? ["minimum_not_met"] : [])
    ]
    return [
      // The terms were met when the quote reserved its use.
      ...(one.reservations.some((own) => own.quoteId === quoteId) ? [] : terms),
      ...(taken >= (one.maxRedemptions ?? taken + 1) ? ["exhausted"] : []),
      ...(one.oncePerAccount && (mine.length > 0 || HashSet.has(one.redeemedBy, accountId)) ? ["already_used"] : [])
    ]
  }

  property("is refused for a reason that applies, and only if one does", [anyPromo, fc.boolean()], (one, own) => {
    const by = own ? use({ quoteId: QuoteId.make("q_1") }) : use()
    const holding = reasons(one, by)
    const result = usePromo(one, by)
    if (Result.isFailure(result)) expect(holding).toContain(result.failure)
    else expect([result.success, holding]).toEqual([260, []])
  })
})
