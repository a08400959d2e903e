// All scenarios, in the order in which they are best watched; those of discounts, the sandbox, webhooks, top-ups and load are here.
import { orderScenarios } from "./OrderScenarios.ts"
import { customerSpec, order, type Scenario } from "./Scenario.ts"

const promoVsWelcome: Scenario = {
  name: "promo-vs-welcome",
  title: "Promo code against welcome offer",
  watch:
    "The code TEN takes off 10 %, the welcome offer 20 %: the better one wins. Once the welcome offer is spent, the code counts. Where both take off the same, the code is used and the welcome offer kept.",
  customers: [customerSpec("Jo", { creditCents: 10_000 }), customerSpec("Kim", { creditCents: 10_000 })],
  steps: [
    order("Jo", "A", { Corail: 2 }, { status: "paid", creditCents: 2_400, discount: "welcome" }, "TEN"),
    order("Jo", "B", { Corail: 2 }, { status: "paid", creditCents: 2_700, discount: "promo" }, "TEN"),
    order("Kim", "C", { Plancton: 2, Corail: 1 }, { status: "paid", creditCents: 2_000, discount: "promo" }, "FIVER"),
    order("Kim", "D", { Corail: 1 }, { status: "paid", creditCents: 1_200, discount: "welcome" }),
    order("Kim", "E", { Corail: 1 }, { refused: "promo_code_invalid" }, "FIVER")
  ]
}

const sandbox: Scenario = {
  name: "sandbox",
  title: "The sandbox",
  watch:
    "A test key plays through the whole life of an order: paid at a page, published, verified, with real signed webhooks. Watch the wallet: no money moves, and no link reaches the operator.",
  customers: [customerSpec("Lea", { mode: "sandbox", creditCents: 700, webhook: true })],
  steps: [
    order("Lea", "A", { Corail: 2 }, { status: "awaiting_payment", cardCents: 1_700 }),
    { does: "press", as: "A", button: "pay" },
    { does: "quote", as: "A", status: "paid" },
    { does: "advance sandbox", as: "A", to: "drafted" },
    { does: "order status", as: "A", status: "in_progress" },
    { does: "advance sandbox", as: "A", to: "published" },
    { does: "advance sandbox", as: "A", to: "verified" },
    { does: "order status", as: "A", status: "completed" },
    { does: "received", who: "Lea", event: "order.published", times: 2 },
    { does: "balance", who: "Lea", availableCents: 700, heldCents: 0 }
  ]
}

const webhookRetry: Scenario = {
  name: "webhook-retry",
  title: "A receiver that is down",
  watch:
    "Mia's receiver answers 500. The service tries again after 30 s, 1, 2, 4 minutes and so on, with the same bytes and a fresh signature. Once it is mended every event arrives, and none is missing.",
  customers: [customerSpec("Mia", { creditCents: 10_000, webhook: true })],
  steps: [
    { does: "set receiver", works: false },
    order("Mia", "A", { Plancton: 1 }, { status: "paid" }),
    { does: "wait", minutes: 3 },
    { does: "fulfil", as: "A", to: "published", links: "all" },
    { does: "wait", minutes: 12 },
    { does: "received", who: "Mia", event: "order.accepted", times: 0 },
    { does: "set receiver", works: true },
    { does: "wait", minutes: 40 },
    { does: "received", who: "Mia", event: "order.accepted", times: 1 },
    { does: "received", who: "Mia", event: "order.published", times: 1 }
  ]
}

const cancelRecredit: Scenario = {
  name: "cancel-recredit",
  title: "Cancelled and paid back",
  watch:
    "Of three links one comes online, one is declined, one is cancelled with the order. What a card paid for the two comes back as credit, to the cent. A second order is cancelled as a whole.",
  customers: [customerSpec("Nic", { webhook: true })],
  steps: [
    order("Nic", "A", { Plancton: 1, Corail: 1, Nautilus: 1 }, { status: "awaiting_payment", cardCents: 4_000 }),
    { does: "press", as: "A", button: "pay" },
    { does: "fulfil", as: "A", to: "published", links: "next" },
    { does: "cancel", as: "A", links: "next" },
    { does: "balance", who: "Nic", availableCents: 1_200, heldCents: 0 },
    { does: "cancel", as: "A", links: "all" },
    { does: "order status", as: "A", status: "completed" },
    { does: "balance", who: "Nic", availableCents: 3_600, heldCents: 0 },
    order("Nic", "B", { Nautilus: 1 }, { status: "paid", creditCents: 3_000 }),
    { does: "cancel", as: "B", links: "all" },
    { does: "order status", as: "B", status: "cancelled" },
    { does: "received", who: "Nic", event: "order.cancelled", times: 1 },
    { does: "balance", who: "Nic", availableCents: 3_600, heldCents: 0 }
  ]
}

const topUp: Scenario = {
  name: "top-up",
  title: "Topped up in the member area",
  watch:
    "Pia's agent has no credit, so its order waits at a payment link, and it gives up. Her human signs in by mail and tops up by 50.00 EUR, with two presses of the button: one entry. The next order is paid at once.",
  customers: [customerSpec("Pia", { webhook: true })],
  steps: [
    order("Pia", "A", { Corail: 2 }, { status: "awaiting_payment", creditCents: 0, cardCents: 2_400 }),
    { does: "abandon", as: "A" },
    { does: "top up", who: "Pia", cents: 5_000, button: "abandon", presses: 1 },
    { does: "balance", who: "Pia", availableCents: 0, heldCents: 0 },
    { does: "top up", who: "Pia", cents: 5_000, button: "pay", presses: 2 },
    { does: "balance", who: "Pia", availableCents: 5_000, heldCents: 0 },
    order("Pia", "B", { Corail: 2 }, { status: "paid", creditCents: 2_400, cardCents: 0 }),
    { does: "received", who: "Pia", event: "order.accepted", times: 1 },
    { does: "balance", who: "Pia", availableCents: 2_600, heldCents: 0 }
  ]
}

/** Long enough for an endpoint that only fails to be disabled, and for Plancton links to be late. */
const FIVE_DAYS_MINUTES = 5 * 24 * 60 + 10

const secondWeek: Scenario = {
  name: "second-week",
  title: "The second week",
  watch:
    "Rae's agent bought four links; then its receiver was down. A new chat with a new key finds both orders and the late link, changes an anchor, and cancels one. The webhook gets what it missed.",
  customers: [customerSpec("Rae", { creditCents: 10_000, webhook: true })],
  steps: [
    order("Rae", "A", { Plancton: 2, Corail: 1 }, { status: "paid", creditCents: 2_000, discount: "welcome" }),
    { does: "received", who: "Rae", event: "order.accepted", times: 1 },
    { does: "set receiver", works: false },
    order("Rae", "B", { Nautilus: 1 }, { status: "paid", creditCents: 3_000 }),
    { does: "wait", minutes: FIVE_DAYS_MINUTES },
    { does: "endpoint", who: "Rae", status: "failing" },
    { does: "fulfil", as: "A", to: "published", links: "next" },
    { does: "endpoint", who: "Rae", status: "disabled" },
    { does: "fulfil", as: "B", to: "published", links: "all" },
    { does: "new key", of: "Rae", who: "Rae's chat" },
    { does: "list orders", who: "Rae's chat", scope: "key", orders: 0, leftOut: 2 },
    { does: "list orders", who: "Rae's chat", scope: "account", orders: 2, leftOut: 0 },
    { does: "list overdue", who: "Rae's chat", links: 1 },
    order("Rae's chat", "C", { Plancton: 1, Corail: 1 }, { status: "paid", creditCents: 2_000, discount: "none" }),
    {
      does: "change link",
      who: "Rae's chat",
      as: "A",
      anchor: "the quietest keyboards",
      gets: { refused: "not_changeable" }
    },
    { does: "change link", who: "Rae's chat", as: "C", anchor: "the quietest keyboards", gets: "changed" },
    { does: "cancel own", as: "C", cancelled: 1, kept: 1, creditedCents: 1_500 },
    { does: "cancel own", as: "C", cancelled: 1, kept: 1, creditedCents: 0 },
    { does: "fulfil", as: "C", to: "published", links: "all" },
    { does: "order status", as: "C", status: "completed" },
    { does: "set receiver", works: true },
    { does: "received", who: "Rae", event: "order.published", times: 0 },
    { does: "replay", who: "Rae", days: 6, events: 3 },
    { does: "wait", minutes: 2 },
    { does: "endpoint", who: "Rae", status: "active" },
    { does: "received", who: "Rae", event: "order.accepted", times: 2 },
    { does: "received", who: "Rae", event: "order.published", times: 2 },
    { does: "balance", who: "Rae", availableCents: 4_500, heldCents: 0 }
  ]
}

export const rushHour: Scenario = {
  name: "rush-hour",
  title: "Rush hour",
  watch:
    "A crowd of agents, over REST and MCP, buys for humans who pay, give up or forget, while publishers bring links online and a receiver fails now and then. Whatever happens, the books must add up.",
  customers: [],
  steps: [{ does: "load", actors: 12, orders: 150 }]
}

export type Scenarios = readonly [Scenario, ...ReadonlyArray<Scenario>]

export const scenarios: Scenarios = [
  ...orderScenarios,
  promoVsWelcome,
  sandbox,
  webhookRetry,
  cancelRecredit,
  topUp,
  secondWeek,
  rushHour
]

/** The stories that a key leads through: the chosen ones, or those that follow a single one in the list of all, in a circle. */
export const storiesFrom = (chosen: Scenarios): Scenarios => {
  const [first, ...others] = chosen
  if (others.length > 0) return chosen
  const at = scenarios.findIndex(({ name }) => name === first.name)
  return [first, ...scenarios.slice(at + 1), ...scenarios.slice(0, Math.max(0, at))]
}
