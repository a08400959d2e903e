// The steps of the transcript that place, pay and abandon orders: refused bodies, live orders, payment pages, sandbox.
import type { Recorder, Response } from "./Recorder.ts"
import { API, item } from "./RestSteps.ts"

const ORDERS = `${API}/orders`
const FORM = { "content-type": "application/x-www-form-urlencoded" }

const pagePath = (response: Response): string => new URL(response.at("payment_url")).pathname

export const refusedOrders = async (it: Recorder, site: number, article: number): Promise<void> => {
  const insertion = item(site, { format: "insertion", article_id: article })
  const items = [
    ...[{}, item(1, { target_url: "javascript:alert(1)" }), item(1, { target_url: "https://u:p@x.example/" })],
    ...[
      item(1, { target_url: "http://127.0.0.1/" }),
      item(1, { anchor_text: "" }),
      item(1, { anchor_text: "x".repeat(121) })
    ],
    ...[item(1, { anchor_type: "fancy" }), item(1, { format: "insertion" }), item(1, { article_id: 1 })],
    ...[item(1, { tier2_links: 2 }), item(1, { colour: "red" }), item(999_999), item(1, { project_id: "prj_x" })],
    ...[item(1, { opportunity_id: "opp_x" }), { ...insertion, site_id: site + 1 }]
  ]
  const bodies = [
    ...["", "{", "[]", "null", "1", '"x"', '{"items":[],"items":[]}', '{"items":1e400}', '{"items":"\\ud800"}', "{}"],
    ...[{ items: [] }, { items: Array.from({ length: 21 }, () => item(1)) }, { items: [insertion, insertion] }],
    ...items.map((one) => ({ items: [one] })),
    ...[{ promo_code: "NOPE" }, { promo_code: "FIVER" }, { max_total_eur: 0.01 }].map((more) => ({
      items: [item(1)],
      ...more
    })),
    ...[{ sandbox_credit_cents: 5 }, { dry_run: "yes" }].map((more) => ({ items: [item(1)], ...more })),
    "x".repeat(70_000)
  ]
  for (const body of bodies) await it.call("POST", ORDERS, { body })
  await it.call("POST", ORDERS, { body: "{}", headers: { "content-type": "text/plain" } })
  for (const key of ["", "x".repeat(256), "caf\u00e9"]) {
    await it.call("POST", ORDERS, { body: { items: [item(1)] }, headers: { "idempotency-key": key } })
  }
}

/** Waits for the event of a new order, so that deliveries have one order in every run. */
const order = async (it: Recorder, body: object, idempotencyKey?: string, key = it.keys.live): Promise<Response> => {
  const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }
  const response = await it.call("POST", ORDERS, { key, body, headers })
  const isNew = response.at("order_id") !== "" && !response.replayed
  if (isNew && key !== it.keys.poor) await it.deliveries(1)
  return response
}

/** Places orders, pays and abandons quotes. Returns the first order, and a paid quote of the account without credit. */
export const orders = async (
  it: Recorder,
  site: number,
  article: number
): Promise<[paid: Response, byCard: Response]> => {
  const { poor } = it.keys
  const two = { items: [item(1), item(2, { tier2_links: 3, brief: "Please mention spring." })] }
  await order(it, { ...two, dry_run: true })
  await order(it, { ...two, dry_run: true, promo_code: "ten" })
  const paid = await order(it, two, "one")
  await order(it, two, "one")
  await order(it, { items: [item(1)] }, "one")
  await order(it, { items: [item(1)] })
  await order(it, { items: [item(1)] })
  const exact = { anchor_type: "exact" }
  await order(it, { items: [item(3, exact), item(4, exact), item(5, exact)], promo_code: "TEN" })
  const insertion = { items: [item(site, { format: "insertion", article_id: article })] }
  await order(it, insertion)
  await order(it, insertion)
  const cart = { items: [item(3), item(6, { tier2_links: 5 })] }
  const byCard = await order(it, cart, "two", poor)
  await order(it, cart, "two", poor)
  const byAgent = await order(it, { items: [item(3)], promo_code: "TEN" }, undefined, poor)
  const byHuman = await order(it, { items: [item(9)] }, undefined, poor)
  const partial = await order(it, { items: Array.from({ length: 12 }, (_, index) => item(3 * index + 3)) })
  await it.call("GET", `${API}/balance`)
  await it.call("GET", `${API}/balance/ledger?limit=5`)
  const quote = (of: Response, suffix = ""): string => `${API}/quotes/${of.at("quote_id")}${suffix}`
  for (const [one, key] of [
    [paid, it.keys.live],
    [byCard, poor],
    [partial, it.keys.live],
    [byCard, it.keys.live]
  ] as const) {
    await it.call("GET", quote(one), { key })
  }
  for (const query of ["?idempotency_key=two", "?idempotency_key=three", ""]) {
    await it.call("GET", `${API}/quotes${query}`, { key: poor })
  }
  for (const path of ["quotes/q_unknown", "orders/ord_unknown"]) await it.call("GET", `${API}/${path}`)
  for (const one of [byAgent, byAgent]) await it.call("POST", quote(one, "/abandon"), { key: poor })
  await it.call("POST", quote(paid, "/abandon"))
  await paymentPages(it, pagePath(byCard), pagePath(byHuman))
  for (const one of [byCard, byHuman]) await it.call("GET", quote(one), { key: poor })
  await it.call("POST", quote(partial, "/abandon"))
  for (const query of ["", "?limit=1", "?status=paid&limit=2", "?status=x"]) await it.call("GET", `${ORDERS}${query}`)
  await it.call("GET", ORDERS, { key: poor })
  await it.call("GET", `${ORDERS}/${paid.at("order_id")}`)
  return [paid, byCard]
}

const paymentPages = async (it: Recorder, paying: string, leaving: string): Promise<void> => {
  const press = (path: string) => it.call("POST", path, { key: null, headers: FORM, body: "" })
  const show = (path: string) => it.call("GET", path, { key: null })
  await show(paying)
  await press(`${paying}/pay`)
  await show(paying)
  await press(`${paying}/pay`)
  await press(`${leaving}/abandon`)
  await show(leaving)
  await press(`${leaving}/pay`)
  await show("/pay/00000000000000000000000000000000")
}

export const sandbox = async (it: Recorder, otherQuote: string): Promise<void> => {
  const key = it.keys.test
  const placed = await order(it, { items: [item(1), item(2)], sandbox_credit_cents: 100 }, "sandbox", key)
  await order(it, { items: [item(1)], sandbox_credit_cents: 10_000 }, undefined, key)
  await it.call("GET", pagePath(placed), { key: null })
  const quoteId = placed.at("quote_id")
  await it.call("POST", `${API}/sandbox/quotes/${quoteId}/pay`, { key })
  await it.deliveries(1)
  const paid = await it.call("GET", `${API}/quotes/${quoteId}`, { key })
  const orderId = paid.at("order_id")
  for (const to of ["published", "assigned", "nowhere", "cancelled"]) {
    await it.call("POST", `${API}/sandbox/orders/${orderId}/advance`, { key, body: { to } })
  }
  await it.call("GET", `${ORDERS}/${orderId}`, { key })
  await it.call("GET", ORDERS, { key })
  await it.call("POST", `${API}/sandbox/quotes/${quoteId}/abandon`, { key })
  await it.call("POST", `${API}/sandbox/quotes/${otherQuote}/pay`)
}
