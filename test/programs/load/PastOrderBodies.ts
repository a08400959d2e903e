// JSON bodies of past orders as SQL over the view `past` of `PastOrderRows.ts`, with the service's words for the order that every load
// places.
import { storedText, type TextForms } from "#adapters/postgres/rows/StoredText.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"

/**
 * A SQL expression for JSON text: `{column}` stands for the text of a column, the value `{#column}` for its number. The bodies are byte
 * for byte what the service writes.
 */
export const jsonSql = (shape: object): string => {
  const holes = /"\{#(\w+)\}"|\{(\w+)\}/g
  const filled = JSON.stringify(shape).replaceAll(
    holes,
    (_, number: string | undefined, text: string) => `' || ${number ?? text} || '`
  )
  return `'${filled}'`
}

const forms: TextForms = new Map()

const PREFIX = "p".repeat(26)

/** A SQL expression for such text as the service stores it: apart from its ids it is that of every past order. */
const storedSql = (shape: object): string => {
  const body = JSON.stringify(shape).replace("{quote_id}", `q_${PREFIX}00`).replaceAll("{order_id}", `ord_${PREFIX}03`)
  return `'${storedText(body, QuoteId.make(`q_${PREFIX}00`), forms)}'`
}

/** The lines of a quote. */
export const lines = jsonSql([
  {
    item: {
      siteId: "{#site_id}",
      targetUrl: "{target_url}",
      anchorText: "a good read",
      anchorType: "partial",
      format: "new_article",
      tier2Links: 0
    },
    domain: "{domain}",
    shelf: "Plancton",
    priceCents: 500,
    netCents: 450
  }
])

export const discount = jsonSql({
  source: "promo",
  label: "Promo code TEN",
  code: "TEN",
  amountCents: 50,
  considered: [{ source: "promo", code: "TEN", amountCents: 50, applied: true }]
})

/** The history of a link. */
export const history = jsonSql([
  { status: "to_assign", atMs: "{#at_ms}" },
  { status: "assigned", atMs: "{#at_ms}" }
])

/** About 830 bytes. */
const answerShape = {
  ok: true,
  quote_id: "{quote_id}",
  status: "paid",
  currency: "EUR",
  gross_total_eur: 5,
  total_eur: 4.5,
  discount_eur: 0.5,
  credit_applied_cents: 450,
  card_amount_cents: 0,
  discount: {
    source: "promo",
    label: "Promo code TEN",
    considered: [{ source: "promo", code: "TEN", applied: true, amount_eur: 0.5 }]
  },
  payment_url: null,
  items_count: 1,
  order_id: "{order_id}",
  order_status: "paid",
  warnings: [],
  summary:
    "Order {order_id} is placed: 1 link for 4.50 EUR after 0.50 EUR off (Promo code TEN); paid with 4.50 EUR of prepaid credit.",
  next_action: {
    type: "none",
    tell_user:
      "Your order {order_id} is placed and paid for: 1 link for 4.50 EUR after 0.50 EUR off (Promo code TEN). I can follow it until the links are online."
  },
  sandbox: false
}

export const answer = jsonSql(answerShape)

export const storedAnswer = storedSql(answerShape)

/** The forms that the stored answer refers to. */
export const insertForms = Array.from(
  forms,
  ([form, id]) => `INSERT INTO text_forms VALUES ('${id}', '${form}') ON CONFLICT DO NOTHING`
)

/** What an invoice says where no seller is configured. */
export const invoiceFacts = jsonSql({
  buyer: { name: "buyer", vatId: null, address: null, country: null, reference: null },
  lines: [
    {
      name: "Backlink on {domain}",
      detail: 'New article, "a good read" to {target_url}',
      linkId: "{link_id}",
      netCents: 375,
      vatCents: 75,
      totalCents: 450
    }
  ],
  number: null,
  seller: null,
  category: "S",
  corrects: null,
  proForma: true,
  sentence: null,
  issueDate: "{date}",
  treatment: "standard",
  suppliedAtMs: "{#at_ms}",
  vatBasisPoints: 2000
})
