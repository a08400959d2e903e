// The calls that the page shows for each operation, in an order in which every one of them can be sent.
import { isObject, type JsonObject } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import type { OperationName } from "../../operations/OperationRequest.ts"
import { type DescribedOperation, type Example, examplesOf } from "./ApiDescription.ts"
import type { Call } from "./CurlCommand.ts"

type Template = Omit<Call, "operation">

const SITE = { id: "SITE_ID" }
const ORDER = { id: "ORDER_ID" }
const QUOTE = { id: "QUOTE_ID" }
const OPEN_QUOTE = { id: "OPEN_QUOTE_ID" }
const WEBHOOK = { id: "WEBHOOK_ID" }

const UNASKED =
  "A quote waits for approval if the owner wants to be asked about orders of this key, a limit under Keys in the member area. With a key without it, such as the demo's, the answer is 409 `quote_not_open`."

/**
 * What is added to each operation. Bodies are the document's examples. Each stands below those whose variables it needs, and above those that end
 * what it needs.
 */
const TEMPLATES: Readonly<Record<OperationName, Template>> = {
  searchSites: { query: "shelf=Corail&has_articles=true&limit=2", keeps: ["SITE_ID", "id"] },
  getFacets: {},
  getSite: { params: SITE },
  listArticles: { params: SITE, keeps: ["ARTICLE_ID", "article_id"] },
  createOrder: {},
  listOrders: { query: "status=paid&limit=5" },
  getOrder: { params: ORDER, keeps: ["LINK_ID", "link_id"] },
  changeLink: { params: { ...ORDER, link_id: "LINK_ID" }, fills: { target_url: "$TARGET_URL?page=2" } },
  cancelOrder: { params: ORDER },
  listLinks: { query: "limit=5" },
  downloadLinks: { file: "links.csv" },
  findQuote: { query: "idempotency_key=$PURCHASE" },
  getQuote: { params: QUOTE },
  abandonQuote: { params: OPEN_QUOTE, isSandbox: true },
  getMe: {},
  getBalance: {},
  listLedger: { query: "limit=5" },
  requestTopUp: { query: "amount_eur=50" },
  listInvoices: {
    query: "limit=5",
    keeps: ["INVOICE_ID", "invoice_id"],
    note: "Invoices want a live key: the sandbox has none. An order has its invoice within a minute."
  },
  getInvoice: { params: { id: "INVOICE_ID" } },
  getInvoicePdf: { params: { id: "INVOICE_ID" }, file: "invoice.pdf" },
  listWebhooks: {},
  createWebhook: {
    keeps: ["SPARE_WEBHOOK_ID", "id"],
    note: "Webhooks want a public https address of yours, in `WEBHOOK_URL`."
  },
  getWebhook: { params: WEBHOOK },
  changeWebhook: { params: WEBHOOK },
  deleteWebhook: { params: { id: "SPARE_WEBHOOK_ID" } },
  testWebhook: { params: WEBHOOK },
  listDeliveries: { params: WEBHOOK, keeps: ["DELIVERY_ID", "delivery_id"] },
  redeliver: { params: { ...WEBHOOK, delivery_id: "DELIVERY_ID" } },
  replayWebhook: { params: WEBHOOK },
  rotateSecret: { params: WEBHOOK },
  listEvents: { query: "limit=5" },
  listProjects: { keeps: ["PROJECT_ID", "project_id"] },
  getPlan: { params: { id: "PROJECT_ID" }, keeps: ["OPPORTUNITY_ID", "opportunity_id"] },
  paySandboxQuote: { params: OPEN_QUOTE, isSandbox: true, keeps: ["TEST_ORDER_ID", "order_id"] },
  abandonSandboxQuote: { params: OPEN_QUOTE, isSandbox: true },
  approveSandboxQuote: { params: OPEN_QUOTE, isSandbox: true, answers: 409, note: UNASKED },
  declineSandboxQuote: { params: OPEN_QUOTE, isSandbox: true, answers: 409, note: UNASKED },
  advanceSandboxOrder: { params: { id: "TEST_ORDER_ID" }, isSandbox: true }
}

/** The operations in the order of the templates. */
export const inOrderOfCalls = (operations: ReadonlyArray<DescribedOperation>): ReadonlyArray<DescribedOperation> => {
  const places = new Map(Object.keys(TEMPLATES).map((name, place) => [name, place]))
  return operations.toSorted((one, other) => (places.get(one.operationId) ?? 0) - (places.get(other.operationId) ?? 0))
}

/** Operations that begin with an order of the sandbox that nothing pays for yet. */
const WANTS_OPEN_QUOTE: ReadonlySet<OperationName> = new Set([
  "abandonQuote",
  "paySandboxQuote",
  "abandonSandboxQuote",
  "approveSandboxQuote"
])

/** Orders that want what the page's two keys have not: an account without credit, or a person who asks to approve. */
const LEFT_OUT: ReadonlySet<string> = new Set(["by_card", "awaiting_approval"])

const ordersOf = (operations: ReadonlyArray<DescribedOperation>): ReadonlyArray<readonly [string, Example]> =>
  operations.flatMap((operation) =>
    operation.operationId === "createOrder" ? examplesOf(operation.requestBody?.content) : []
  )

/** An order of the links of the document's first one. */
export const firstOrder = (operations: ReadonlyArray<DescribedOperation>): JsonObject => {
  const bodies = ordersOf(operations).map(([, { value }]) => value)
  const [first] = bodies.filter(isObject).filter(({ dry_run }) => dry_run !== true)
  if (first === undefined) throw new Error("The document has no example of an order.")
  return { items: first["items"] ?? [] }
}

/** An order of the sandbox that waits for its payment. */
const openQuote = (order: JsonObject): Call => ({
  operation: "createOrder",
  title: "First an order that waits for payment, because it pretends no credit:",
  isSandbox: true,
  body: { ...order, sandbox_credit_cents: 0 },
  keeps: ["OPEN_QUOTE_ID", "quote_id"]
})

const namesProject = ({ value }: Example): boolean => JSON.stringify(value).includes('"project_id"')

/** An order with its idempotency key, and in the sandbox with that one's key. */
const orderCall = ([name, { summary = name, value }]: readonly [string, Example]): Call => {
  const body = isObject(value) ? value : {}
  return {
    operation: "createOrder",
    title: `${summary}.`,
    body,
    ...(body["dry_run"] === true ? {} : { idempotencyKey: `$PURCHASE-${name}` }),
    ...("promo_code" in body ? { note: "The code is one of the demo." } : {}),
    ...("sandbox_credit_cents" in body ? { isSandbox: true } : {})
  }
}

/** One call for each example of its body, and one call for an operation without a body. */
const callsWith = (operation: DescribedOperation): ReadonlyArray<Call> => {
  const { operationId } = operation
  const call: Call = { operation: operationId, ...TEMPLATES[operationId] }
  const examples = examplesOf(operation.requestBody?.content)
  if (examples.length === 0) return [call]
  return examples.map(([name, { summary = name, value }]) => ({ ...call, title: `${summary}.`, body: value }))
}

export const callsOf = (
  operation: DescribedOperation,
  operations: ReadonlyArray<DescribedOperation>
): ReadonlyArray<Call> => {
  const { operationId } = operation
  const orders = ordersOf(operations).filter(([name]) => !LEFT_OUT.has(name))
  if (operationId === "createOrder") return orders.filter(([, example]) => !namesProject(example)).map(orderCall)
  return [
    ...(WANTS_OPEN_QUOTE.has(operationId) ? [openQuote(firstOrder(operations))] : []),
    ...callsWith(operation),
    ...(operationId === "getPlan" ? orders.filter(([, example]) => namesProject(example)).map(orderCall) : [])
  ]
}
