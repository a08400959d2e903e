// The effect of each movement on a wallet; none breaks the invariant 0 ≤ held ≤ balance.
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { availableCents, emptyWallet, type Movement, move, Overdrawn, type Wallet } from "#core/domain/wallet/Wallet.ts"
import { cents } from "#test/core/Arbitraries.ts"
import { property } from "#test/Property.ts"

const movements = {
  top_up: (cents) => ({ kind: "top_up", cents }),
  late_payment: (cents) => ({ kind: "late_payment", cents }),
  adjustment: (cents) => ({ kind: "adjustment", cents }),
  recredit: (cents) => ({ kind: "recredit", cents }),
  hold: (cents) => ({ kind: "hold", cents }),
  release: (cents) => ({ kind: "release", cents }),
  "capture of a hold": (cents) => ({ kind: "capture", cents, from: "hold" }),
  "capture of free credit": (cents) => ({ kind: "capture", cents, from: "free" })
} satisfies Readonly<Record<string, (cents: number) => Movement>>

type Name = keyof typeof movements

/** The effect of one cent of each movement on balance and held credit. */
const signs: Readonly<Record<Name, { readonly balance: number; readonly held: number }>> = {
  top_up: { balance: 1, held: 0 },
  late_payment: { balance: 1, held: 0 },
  adjustment: { balance: -1, held: 0 },
  recredit: { balance: 1, held: 0 },
  hold: { balance: 0, held: 1 },
  release: { balance: 0, held: -1 },
  "capture of a hold": { balance: -1, held: -1 },
  "capture of free credit": { balance: -1, held: 0 }
}

// Object.keys loses the key type of its object.
const names = Object.keys(signs) as ReadonlyArray<Name>
const name = fc.constantFrom(...names)

const wallet: fc.Arbitrary<Wallet> = fc
  .tuple(cents, cents)
  .map(([one, other]) => ({ balanceCents: Math.max(one, other), heldCents: Math.min(one, other) }))

describe("a wallet", () => {
  it("starts empty", () => {
    expect(emptyWallet).toEqual({ balanceCents: 0, heldCents: 0 })
  })

  it("can spend what is not held", () => {
    expect(availableCents({ balanceCents: 1_000, heldCents: 300 })).toBe(700)
  })

  it.each([
    ["top_up", 100, { balanceCents: 1_100, heldCents: 300 }],
    ["late_payment", 100, { balanceCents: 1_100, heldCents: 300 }],
    ["adjustment", 700, { balanceCents: 300, heldCents: 300 }],
    ["recredit", 100, { balanceCents: 1_100, heldCents: 300 }],
    ["hold", 700, { balanceCents: 1_000, heldCents: 1_000 }],
    ["release", 300, { balanceCents: 1_000, heldCents: 0 }],
    ["capture of a hold", 300, { balanceCents: 700, heldCents: 0 }],
    ["capture of free credit", 700, { balanceCents: 300, heldCents: 300 }]
  ] as const)("%s of %i cents leaves %o", (what, amount, after) => {
    const moved = Result.getOrThrow(move({ balanceCents: 1_000, heldCents: 300 }, movements[what](amount)))
    expect(moved.wallet).toEqual(after)
    expect(moved.deltas).toEqual({ balanceCents: after.balanceCents - 1_000, heldCents: after.heldCents - 300 })
  })

  it.each([
    ["hold", 701],
    ["release", 301],
    ["capture of a hold", 301],
    ["capture of free credit", 701]
  ] as const)("refuses a %s of %i cents and says what was refused", (what, amount) => {
    const before = { balanceCents: 1_000, heldCents: 300 }
    const movement = movements[what](amount)
    const result = move(before, movement)
    if (Result.isSuccess(result)) throw new Error("it went through")
    expect(result.failure).toBeInstanceOf(Overdrawn)
    expect({ ...result.failure }).toEqual({ _tag: "Overdrawn", movement, wallet: before })
  })

  const noAmount = fc.constantFrom(0, -1, -500, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53)

  property("accepts positive whole cents only", [wallet, name, noAmount], (before, what, amount) => {
    expect(Result.isFailure(move(before, movements[what](amount)))).toBe(true)
  })

  it("never exceeds the safe integers", () => {
    const full = { balanceCents: Number.MAX_SAFE_INTEGER, heldCents: 0 }
    expect(Result.isFailure(move(full, { kind: "top_up", cents: 1 }))).toBe(true)
  })

  property("has the effect of its kind, or none", [wallet, name, cents], (before, what, amount) => {
    const balanceCents = before.balanceCents + signs[what].balance * amount
    const heldCents = before.heldCents + signs[what].held * amount
    const lawful = amount > 0 && 0 <= heldCents && heldCents <= balanceCents
    const result = move(before, movements[what](amount))
    expect(Result.isSuccess(result)).toBe(lawful)
    if (Result.isSuccess(result)) expect(result.success.wallet).toEqual({ balanceCents, heldCents })
  })

  const manyMovements = fc.array(fc.tuple(name, fc.integer({ min: -1, max: 50 })), { maxLength: 60 })

  property("after any movements, 0 ≤ held ≤ balance and the deltas add up", [manyMovements], (many) => {
    let now = emptyWallet
    let balance = 0
    let held = 0
    for (const [what, amount] of many) {
      const result = move(now, movements[what](amount))
      if (Result.isFailure(result)) continue
      now = result.success.wallet
      balance += result.success.deltas.balanceCents
      held += result.success.deltas.heldCents
      expect(0 <= now.heldCents && now.heldCents <= now.balanceCents).toBe(true)
    }
    expect(now).toEqual({ balanceCents: balance, heldCents: held })
  })
})
