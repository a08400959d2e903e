// The scenarios of single orders. Sums follow from the demo prices, 5, 15 and 30 EUR a link, and the welcome offer of 20 % on a
// first order.
import { customerSpec, order, type Scenario, type Step } from "./Scenario.ts"

/** Long enough for a quote to expire and for the sweeper to notice. */
const PAST_EXPIRY_MINUTES = 24 * 60 + 1

const times = (count: number, step: (index: number) => Step): ReadonlyArray<Step> =>
  Array.from({ length: count }, (_, index) => step(index))

const creditCovers: Scenario = {
  name: "credit-covers",
  title: "Credit covers everything",
  watch:
    "Ada's human paid 100.00 EUR in advance. Her order is paid at once: no card. Watch the credit go, both links pass every stage to online and verified, and a signed webhook for each.",
  customers: [customerSpec("Ada", { creditCents: 10_000, webhook: true })],
  steps: [
    { does: "search", who: "Ada", shelf: "Corail" },
    order("Ada", "A", { Corail: 2 }, { status: "paid", creditCents: 2_400 }),
    ...(["assigned", "drafted", "in_review", "approved"] as const).map(
      (to): Step => ({ does: "fulfil", as: "A", to, links: "all" })
    ),
    { does: "fulfil", as: "A", to: "published", links: "next" },
    { does: "order status", as: "A", status: "in_progress" },
    { does: "fulfil", as: "A", to: "published", links: "next" },
    { does: "order status", as: "A", status: "completed" },
    { does: "fulfil", as: "A", to: "verified", links: "all" },
    { does: "received", who: "Ada", event: "order.published", times: 2 },
    { does: "balance", who: "Ada", availableCents: 7_600, heldCents: 0 }
  ]
}

const partialCredit: Scenario = {
  name: "partial-credit",
  title: "Credit pays a part",
  watch:
    "There are 10.00 EUR of credit for an order of 24.00 EUR. The credit is held, the link bills only the other 14.00 EUR. Watch the hold become a capture when the human pays.",
  customers: [customerSpec("Bo", { creditCents: 1_000, webhook: true })],
  steps: [
    order("Bo", "A", { Nautilus: 1 }, { status: "awaiting_payment", creditCents: 1_000, cardCents: 1_400 }),
    { does: "balance", who: "Bo", availableCents: 0, heldCents: 1_000 },
    { does: "press", as: "A", button: "pay" },
    { does: "quote", as: "A", status: "paid" },
    { does: "received", who: "Bo", event: "order.accepted", times: 1 },
    { does: "balance", who: "Bo", availableCents: 0, heldCents: 0 }
  ]
}

const noCredit: Scenario = {
  name: "no-credit",
  title: "A human pays it all",
  watch:
    "Cem's assistant speaks MCP and has no credit to spend. Its order waits at a payment link; only when the human has paid does it exist. Plancton links then find an editor by themselves.",
  customers: [customerSpec("Cem", { via: "mcp", webhook: true })],
  steps: [
    { does: "search", who: "Cem", shelf: "Plancton" },
    order("Cem", "A", { Plancton: 3 }, { status: "awaiting_payment", creditCents: 0, cardCents: 1_200 }),
    { does: "quote", as: "A", status: "awaiting_payment" },
    { does: "press", as: "A", button: "pay" },
    { does: "quote", as: "A", status: "paid" },
    { does: "order status", as: "A", status: "paid" },
    { does: "fulfil", as: "A", to: "published", links: "all" },
    { does: "fulfil", as: "A", to: "verified", links: "all" },
    { does: "received", who: "Cem", event: "order.published", times: 3 }
  ]
}

const abandoned: Scenario = {
  name: "abandoned",
  title: "The human does not pay",
  watch:
    "Three quotes are abandoned: by the human at the page, by the agent, and by the clock after 24 hours. Watch the held 5.00 EUR and the welcome offer come back each time, once.",
  customers: [customerSpec("Dia", { creditCents: 500 })],
  steps: [
    ...(["A", "B", "C"] as const).flatMap((as): ReadonlyArray<Step> => {
      const gets = { status: "awaiting_payment", creditCents: 500, cardCents: 700, discount: "welcome" } as const
      const end: Step =
        as === "A"
          ? { does: "press", as, button: "abandon" }
          : as === "B"
            ? { does: "abandon", as }
            : { does: "wait", minutes: PAST_EXPIRY_MINUTES }
      return [
        order("Dia", as, { Corail: 1 }, gets),
        { does: "balance", who: "Dia", availableCents: 0, heldCents: 500 },
        end,
        { does: "quote", as, status: "abandoned" },
        { does: "balance", who: "Dia", availableCents: 500, heldCents: 0 }
      ]
    })
  ]
}

const latePayment: Scenario = {
  name: "late-payment",
  title: "A payment that comes too late",
  watch:
    "Two humans leave the payment page open. One pays a day too late: all is still available, so the order is placed. The other had abandoned its quote: that money becomes prepaid credit. Nothing is lost.",
  customers: [customerSpec("Eve", { webhook: true }), customerSpec("Fox")],
  steps: [
    order("Eve", "A", { Corail: 1 }, { status: "awaiting_payment", cardCents: 1_200 }),
    { does: "open page", as: "A" },
    { does: "wait", minutes: PAST_EXPIRY_MINUTES },
    { does: "quote", as: "A", status: "abandoned" },
    { does: "press", as: "A", button: "pay" },
    { does: "quote", as: "A", status: "paid" },
    { does: "received", who: "Eve", event: "order.accepted", times: 1 },
    order("Fox", "B", { Corail: 1 }, { status: "awaiting_payment", cardCents: 1_200 }),
    { does: "open page", as: "B" },
    { does: "press", as: "B", button: "abandon" },
    { does: "press", as: "B", button: "pay" },
    { does: "quote", as: "B", status: "abandoned", creditedCents: 1_200 },
    { does: "balance", who: "Fox", availableCents: 1_200, heldCents: 0 }
  ]
}

const approval: Scenario = {
  name: "approval",
  title: "The human is asked first",
  watch:
    "Ned wants to see what costs more than 10.00 EUR, Uma every order. Approved, an order is placed, or its payment link comes. Declined or forgotten, it gives back what it held, once.",
  customers: [
    customerSpec("Ned", { creditCents: 2_000, approveAboveCents: 1_000, webhook: true }),
    customerSpec("Uma", { via: "mcp", creditCents: 5_000, approveAboveCents: 0 })
  ],
  steps: [
    order("Ned", "A", { Plancton: 1 }, { status: "paid", creditCents: 400 }),
    order("Ned", "B", { Corail: 1 }, { status: "awaiting_approval", creditCents: 1_500, cardCents: 0 }),
    { does: "balance", who: "Ned", availableCents: 100, heldCents: 1_500 },
    { does: "decide", as: "B", button: "approve" },
    { does: "repeat", as: "B", gets: { status: "paid", creditCents: 1_500 } },
    { does: "received", who: "Ned", event: "order.accepted", times: 2 },
    order("Ned", "C", { Corail: 1 }, { status: "awaiting_approval", creditCents: 100, cardCents: 1_400 }),
    { does: "decide", as: "C", button: "approve" },
    { does: "quote", as: "C", status: "awaiting_payment" },
    { does: "repeat", as: "C", gets: { status: "awaiting_payment" } },
    { does: "press", as: "C", button: "pay" },
    { does: "quote", as: "C", status: "paid" },
    order("Uma", "D", { Nautilus: 1 }, { status: "awaiting_approval", creditCents: 2_400, discount: "welcome" }),
    { does: "decide", as: "D", button: "decline", word: "Not this month." },
    { does: "quote", as: "D", status: "abandoned", declinedReason: "Not this month." },
    { does: "balance", who: "Uma", availableCents: 5_000, heldCents: 0 },
    order("Uma", "E", { Nautilus: 1 }, { status: "awaiting_approval", creditCents: 2_400, discount: "welcome" }),
    { does: "wait", minutes: PAST_EXPIRY_MINUTES },
    { does: "quote", as: "E", status: "abandoned" },
    { does: "balance", who: "Uma", availableCents: 5_000, heldCents: 0 }
  ]
}

const replay: Scenario = {
  name: "replay",
  title: "The same order twice",
  watch:
    "Gil's agent never got its answer and sends the very same order again, at once and a day later. The key makes it one order: the same answer to the byte, and the credit is spent once.",
  customers: [customerSpec("Gil", { creditCents: 5_000 })],
  steps: [
    order("Gil", "A", { Corail: 1 }, { status: "paid", creditCents: 1_200 }),
    { does: "repeat", as: "A", gets: "the same" },
    { does: "wait", minutes: 24 * 60 },
    { does: "repeat", as: "A", gets: "the same" },
    { does: "balance", who: "Gil", availableCents: 3_800, heldCents: 0 }
  ]
}

const keyReused: Scenario = {
  name: "key-reused",
  title: "One key for two orders",
  watch:
    "Hal's agent takes one order's key for another. The service refuses instead of guessing, and writes nothing. While the payment processor is down, an order waits; the same request takes it up again.",
  customers: [customerSpec("Hal", { creditCents: 5_000 })],
  steps: [
    order("Hal", "A", { Corail: 1 }, { status: "paid", creditCents: 1_200 }),
    { does: "repeat", as: "A", buys: { Nautilus: 1 }, gets: { refused: "idempotency_key_reused" } },
    { does: "balance", who: "Hal", availableCents: 3_800, heldCents: 0 },
    { does: "set processor", up: false },
    order("Hal", "B", { Nautilus: 2 }, { refused: "payment_processor_unavailable" }),
    { does: "balance", who: "Hal", availableCents: 0, heldCents: 3_800 },
    { does: "set processor", up: true },
    { does: "repeat", as: "B", gets: { status: "awaiting_payment", creditCents: 3_800, cardCents: 2_200 } }
  ]
}

const capReached: Scenario = {
  name: "cap-reached",
  title: "Too many orders in a day",
  watch:
    "A key may place 20 orders a UTC day. Ivo's runaway agent places 20, the 21st is refused until midnight, and replaying an old one still works. After midnight it orders again.",
  customers: [customerSpec("Ivo", { creditCents: 20_000 })],
  steps: [
    ...times(20, (index) => {
      return order("Ivo", `order ${index + 1}`, { Plancton: 1 }, { status: "paid" })
    }),
    order("Ivo", "A", { Plancton: 1 }, { refused: "daily_order_cap_reached" }),
    { does: "repeat", as: "order 1", gets: "the same" },
    { does: "wait", minutes: 15 * 60 },
    { does: "repeat", as: "A", gets: { status: "paid" } },
    { does: "balance", who: "Ivo", availableCents: 20_000 - 400 - 20 * 500, heldCents: 0 }
  ]
}

export const orderScenarios: readonly [Scenario, ...ReadonlyArray<Scenario>] = [
  creditCovers,
  partialCredit,
  noCredit,
  abandoned,
  latePayment,
  approval,
  replay,
  keyReused,
  capReached
]
