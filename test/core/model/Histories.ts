// Random histories of commands: any history, and one that is mostly about expiring quotes.
import fc from "fast-check"
import { STAGES } from "#core/domain/ordering/Link.ts"
import { HOUR_MS, MINUTE_MS } from "../Given.ts"
import type { Command, Order } from "./Command.ts"
import { accounts, cartItems, keys, promos } from "./ModelShop.ts"

const nth = fc.nat({ max: 11 })
const oneIn = (n: number): fc.Arbitrary<boolean> => fc.nat({ max: n - 1 }).map((drawn) => drawn === n - 1)

/** Mostly the first arbitrary. */
const mostly = <A, B>(usual: fc.Arbitrary<A>, seldom: fc.Arbitrary<B>, weight: number): fc.Arbitrary<A | B> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: seldom })

/** Leaves out repeated articles in one order, which have their own tests. */
const differentArticles = (items: ReadonlyArray<number>): ReadonlyArray<number> => {
  const article = (one: number) => cartItems[one]?.articleId
  return items.filter(
    (one, index) => article(one) === undefined || items.findIndex((other) => article(other) === article(one)) === index
  )
}

const nothing = fc.constant(null)
const possible = fc.nat({ max: 7 })
const impossible = fc.integer({ min: 8, max: cartItems.length - 1 })

const order: fc.Arbitrary<Order> = fc.record({
  do: fc.constant("order"),
  key: mostly(fc.constantFrom(0, 1, 2, 3, 6, 7), fc.nat({ max: keys.length - 1 }), 4),
  items: fc.array(mostly(possible, impossible, 12), { minLength: 1, maxLength: 4 }).map(differentArticles),
  code: mostly(nothing, fc.constantFrom(...promos.map(({ code }) => code), "ten", "NOPE"), 1),
  idempotencyKey: mostly(nothing, fc.constantFrom("one", "two"), 1),
  maxTotal: mostly(nothing, fc.constantFrom(499, 2_000, 4_000), 5),
  sandboxCredit: mostly(fc.constantFrom(0, 480, 100_000), nothing, 3),
  dryRun: oneIn(10)
})

/** Orders of live keys for limited items: three articles, codes with few uses. */
const contested: fc.Arbitrary<Order> = fc.record({
  do: fc.constant("order"),
  key: fc.constantFrom(0, 0, 2, 3, 6, 7),
  items: fc.uniqueArray(fc.constantFrom(2, 4, 5, 6), { minLength: 1, maxLength: 2 }),
  code: mostly(nothing, fc.constantFrom("LAST", "TWICE", "ONCE", "HAPPY"), 1),
  idempotencyKey: nothing,
  maxTotal: nothing,
  sandboxCredit: nothing,
  dryRun: fc.constant(false)
})

const stage = fc.constantFrom(...STAGES)
const repeat = fc.record({ do: fc.constant("repeat"), order: nth, changed: oneIn(4) })
const topUp = fc.record({
  do: fc.constant("top up"),
  account: fc.nat({ max: accounts.length - 1 }),
  cents: fc.constantFrom(1, 33, 470, 1_000, 3_000)
})
const debit = fc.record({
  do: fc.constant("debit"),
  account: fc.nat({ max: accounts.length - 1 }),
  cents: fc.constantFrom(1, 33, 470, 1_000)
})
const wait = fc.record({
  do: fc.constant("wait"),
  ms: fc.constantFrom(1, MINUTE_MS, 7 * HOUR_MS, 24 * HOUR_MS - 1, 24 * HOUR_MS)
})
const session = fc.record({ do: fc.constant("store session"), quote: nth, session: nth })
const beginDebit = fc.record({ do: fc.constant("begin debit"), quote: nth, session: nth })
const endSession = fc.record({ do: fc.constant("end session"), quote: nth, session: nth })
const pay = fc.record({
  do: fc.constant("pay"),
  quote: nth,
  payment: fc.nat({ max: 1 }),
  offBy: mostly(fc.constant(0), fc.constantFrom(1, -1), 7),
  currency: mostly(fc.constant("EUR"), fc.constant("USD"), 7)
})
const abandon = fc.record({
  do: fc.constant("abandon"),
  quote: nth,
  by: fc.constantFrom("human", "agent", "expiry", "expiry")
})
const approve = fc.record({ do: fc.constant("approve"), quote: nth })
const decline = fc.record({ do: fc.constant("decline"), quote: nth, word: fc.constantFrom("", "Not this one.") })
const sweep = fc.constant({ do: "sweep" } as const)
const cancelLink = fc.record({ do: fc.constant("cancel link"), link: nth, published: oneIn(2), refunded: oneIn(2) })
const cancelOrder = fc.record({ do: fc.constant("cancel order"), order: nth, published: oneIn(3), refunded: oneIn(2) })
const percent = fc.constantFrom(1, 40, 60, 100)
const refund = fc.record({ do: fc.constant("refund"), quote: nth, percent })
const dispute = fc.record({
  do: fc.constant("dispute"),
  quote: nth,
  percent,
  state: fc.constantFrom("open", "final", "won")
})
const nthTopUp = fc.nat({ max: 3 })
const beginTopUp = fc.record({
  do: fc.constant("begin top up"),
  account: fc.nat({ max: accounts.length - 1 }),
  cents: fc.constantFrom(500, 1_234, 3_000)
})
const payTopUp = fc.record({ do: fc.constant("pay top up"), topUp: nthTopUp })
const refundTopUp = fc.record({ do: fc.constant("refund top up"), topUp: nthTopUp, percent })
const disputeTopUp = fc.record({
  do: fc.constant("dispute top up"),
  topUp: nthTopUp,
  percent,
  state: fc.constantFrom("open", "final", "won", "won")
})
const resume = fc.record({ do: fc.constant("resume agents"), account: fc.nat({ max: accounts.length - 1 }) })
const correct = fc.record({ do: fc.constant("correct"), link: nth, onSite: fc.boolean() })
const change = fc.record({
  do: fc.constant("change link"),
  link: nth,
  by: mostly(fc.constantFrom("orderer", "orderer", "owner"), fc.constantFrom(...keys.map(({ id }) => id)), 5),
  target: fc.nat({ max: 3 }),
  dryRun: oneIn(6)
})
const moveLink = fc.record({ do: fc.constant("move link"), link: nth, to: stage, seen: oneIn(3) })
const advance = fc.record({ do: fc.constant("advance order"), order: nth, to: stage })
const revoke = fc.record({ do: fc.constant("revoke key"), key: fc.nat({ max: 3 * keys.length }) })
const flip = fc.record({ do: fc.constant("switch"), manual: fc.boolean() })

type Weighted = readonly [weight: number, arbitrary: fc.Arbitrary<Command>]

const history = (...commands: ReadonlyArray<Weighted>): fc.Arbitrary<ReadonlyArray<Command>> =>
  fc.array(fc.oneof(...commands.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
    minLength: 1,
    maxLength: 50,
    size: "max"
  })

export const anyHistory = history(
  [12, order],
  [3, repeat],
  [2, topUp],
  [1, debit],
  [5, wait],
  [3, session],
  [3, beginDebit],
  [2, endSession],
  [8, pay],
  [3, abandon],
  [6, approve],
  [2, decline],
  [2, sweep],
  [6, cancelLink],
  [2, cancelOrder],
  [3, refund],
  [2, dispute],
  [2, beginTopUp],
  [3, payTopUp],
  [2, refundTopUp],
  [3, disputeTopUp],
  [3, resume],
  [6, moveLink],
  [5, change],
  [1, advance],
  [4, correct],
  [1, revoke],
  [1, flip]
)

export const expiryHistory = history(
  [8, contested],
  [1, topUp],
  [1, debit],
  [6, wait],
  [3, session],
  [3, beginDebit],
  [4, endSession],
  [8, pay],
  [1, abandon],
  [4, approve],
  [1, decline],
  [3, sweep],
  [1, cancelLink]
)

/** The first account's credit comes from two top-ups; a key of it asks for dear orders, another spends at once. */
const twoTopUps = fc.nat({ max: 1 })
const spending: fc.Arbitrary<Order> = fc.record({
  do: fc.constant("order"),
  key: fc.constantFrom(0, 6),
  items: fc.array(fc.constantFrom(0, 1, 2, 3), { minLength: 1, maxLength: 2 }),
  code: nothing,
  idempotencyKey: nothing,
  maxTotal: nothing,
  sandboxCredit: nothing,
  dryRun: fc.constant(false)
})

/** Credit that is paid by card, spent, given back by the processor, and owed. */
export const debtHistory = history(
  [12, spending],
  [1, topUp],
  [2, fc.record({ do: fc.constant("begin top up"), account: fc.constant(0), cents: fc.constantFrom(500, 3_000) })],
  [5, fc.record({ do: fc.constant("pay top up"), topUp: twoTopUps })],
  [3, fc.record({ do: fc.constant("refund top up"), topUp: twoTopUps, percent })],
  [
    6,
    fc.record({
      do: fc.constant("dispute top up"),
      topUp: twoTopUps,
      percent,
      state: fc.constantFrom("open", "open", "final", "won")
    })
  ],
  [5, fc.record({ do: fc.constant("resume agents"), account: fc.constant(0) })],
  [2, wait],
  [2, sweep],
  [3, pay],
  [1, abandon],
  [5, approve],
  [1, decline],
  [3, cancelLink],
  [1, cancelOrder],
  [1, debit]
)
