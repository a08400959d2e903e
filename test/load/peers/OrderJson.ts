// What the handwritten peer says of an order that it has sold: its answer, its event, and what the tables keep as JSON. How it is
// sold is not its business.

export interface Item {
  readonly site_id: number
  readonly target_url: string
  readonly anchor_text: string
  readonly anchor_type: string
}

export interface Priced {
  readonly code: string
  readonly domain: string
  readonly shelf: string
  readonly grossCents: number
  readonly netCents: number
}

export interface Sold extends Priced {
  /** What the order's ids have in common. */
  readonly stem: string
  readonly atMs: number
}

export const linesOf = ({ domain, shelf, grossCents, netCents }: Priced, item: Item): string => {
  const { site_id: siteId, target_url: targetUrl, anchor_text: anchorText, anchor_type: anchorType } = item
  const ordered = { siteId, targetUrl, anchorText, anchorType, format: "new_article", tier2Links: 0 }
  return JSON.stringify([{ item: ordered, domain, shelf, priceCents: grossCents, netCents }])
}

export const discountOf = ({ code, grossCents, netCents }: Priced): string => {
  const promo = { source: "promo", code, amountCents: grossCents - netCents }
  return JSON.stringify({ ...promo, label: `Promo code ${code}`, considered: [{ ...promo, applied: true }] })
}

export const historyOf = ({ atMs }: Sold): string =>
  JSON.stringify(["to_assign", "assigned"].map((status) => ({ status, atMs })))

export const answerOf = ({ stem, code, grossCents, netCents }: Sold): string =>
  JSON.stringify({
    ok: true,
    quote_id: `q_${stem}`,
    status: "paid",
    currency: "EUR",
    gross_total_eur: grossCents / 100,
    total_eur: netCents / 100,
    discount_eur: (grossCents - netCents) / 100,
    credit_applied_cents: netCents,
    card_amount_cents: 0,
    discount: {
      source: "promo",
      label: `Promo code ${code}`,
      considered: [{ source: "promo", code, amount_eur: (grossCents - netCents) / 100, applied: true }]
    },
    payment_url: null,
    items_count: 1,
    order_id: `ord_${stem}`,
    order_status: "paid",
    warnings: [],
    summary: `Order ord_${stem} is placed: 1 link, ${netCents} cents of prepaid credit; nothing is left to pay by card.`,
    next_action: {
      type: "none",
      tell_user: `Your order ord_${stem} is placed and paid for. I can follow it until the link is online.`
    },
    sandbox: false
  })

export const eventOf = ({ stem, atMs, domain, grossCents, netCents }: Sold, item: Item): string => {
  const created_at = new Date(atMs)
  const link = {
    link_id: `lnk_${stem}`,
    ...item,
    domain,
    format: "new_article",
    tier2_links: 0,
    price_eur: grossCents / 100,
    net_price_eur: netCents / 100,
    status: "assigned"
  }
  const order = {
    order_id: `ord_${stem}`,
    quote_id: `q_${stem}`,
    order_status: "paid",
    total_eur: netCents / 100,
    items_count: 1,
    published_count: 0,
    created_at,
    items: [link]
  }
  const type = "order.accepted"
  return JSON.stringify({ id: `evt_${stem}`, type, created_at, api_version: "v1", sandbox: false, data: { order } })
}
