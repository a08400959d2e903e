// The JSON of the handwritten order: its response, its event, and its JSON columns.

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
  /** The common part of the order's ids. */
  readonly idPrefix: string
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

export const answerOf = ({ idPrefix, code, grossCents, netCents }: Sold): string =>
  JSON.stringify({
    ok: true,
    quote_id: `q_${idPrefix}`,
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
    order_id: `ord_${idPrefix}`,
    order_status: "paid",
    warnings: [],
    summary: `Order ord_${idPrefix} is placed: 1 link, ${netCents} cents of prepaid credit; nothing is left to pay by card.`,
    next_action: {
      type: "none",
      tell_user: `Your order ord_${idPrefix} is placed and paid for. I can follow it until the link is online.`
    },
    sandbox: false
  })

export const eventOf = ({ idPrefix, atMs, domain, grossCents, netCents }: Sold, item: Item): string => {
  const created_at = new Date(atMs)
  const link = {
    link_id: `lnk_${idPrefix}`,
    ...item,
    domain,
    format: "new_article",
    tier2_links: 0,
    price_eur: grossCents / 100,
    net_price_eur: netCents / 100,
    status: "assigned"
  }
  const order = {
    order_id: `ord_${idPrefix}`,
    quote_id: `q_${idPrefix}`,
    order_status: "paid",
    total_eur: netCents / 100,
    items_count: 1,
    published_count: 0,
    created_at,
    items: [link]
  }
  const type = "order.accepted"
  return JSON.stringify({ id: `evt_${idPrefix}`, type, created_at, api_version: "v1", sandbox: false, data: { order } })
}
