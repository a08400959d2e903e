// For each tool, calls that a customer can make, each with the equivalent call to REST.
import { Effect } from "effect"
import type { QuoteResponse } from "#adapters/contract/ordering/QuoteResponse.ts"
import type { Scope } from "#core/domain/access/ApiKey.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { type Buyer, buyer, cart, freshKey, issueKey, item } from "#test/scenarios/Buyers.ts"
import { createOpportunity, createProject, listArticle, listSite } from "#test/scenarios/CatalogueSetup.ts"
import { call, ORDERS, placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { invoiceOf } from "#test/scenarios/InvoiceSteps.ts"

export interface ToolCall {
  readonly tool: string
  readonly args?: Readonly<Record<string, unknown>>
  readonly rest: {
    readonly method?: "POST" | "PATCH"
    readonly path: string
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
  }
  /** The scope that the key must have. */
  readonly scope?: Scope
  /** Only the key that placed the order may. */
  readonly isOwn?: true
}

const API = "/api/v1/agent"

export interface CustomerWithOrder extends Buyer {
  readonly siteId: number
  readonly projectId: string
  readonly placed: QuoteResponse
  readonly linkId: string
  /** The key that `placed` was made with. */
  readonly idempotencyKey: string
}

const NICHE = "Bell founding"

/** An account with credit, sites to choose from, an AI project, and one order paid by credit. */
export const customerWithOrder = Effect.fnUntraced(function* (mode: "live" | "sandbox" = "live") {
  const { siteId } = yield* listSite({ nicheLabel: NICHE })
  yield* listSite({ nicheLabel: NICHE, shelf: "Corail" })
  yield* listArticle(siteId, { keywords: [{ query: "bells", position: 3.5, impressions: 120 }] })
  const live = yield* buyer({ creditCents: 10_000 })
  const { projectId } = yield* createProject(live.accountId)
  yield* createOpportunity(projectId, { niche: NICHE })
  const who = mode === "live" ? live : yield* issueKey(live.accountId, { mode })
  const idempotencyKey = freshKey()
  const placed = placedBy(yield* postOrder(who.key, cart([item(siteId)]), idempotencyKey))
  // Two reads of the order are alike once its invoice is in both.
  if (mode === "live") yield* invoiceOf(who, placed.order_id ?? "")
  const { items } = yield* who.api.orders.getOrder({ params: { id: placed.order_id ?? OrderId.make("") } })
  return { ...who, siteId, projectId, placed, linkId: items[0]?.link_id ?? "", idempotencyKey }
})

/** An empty account. */
export const newCustomer = Effect.fnUntraced(function* (mode: "live" | "sandbox" = "live") {
  const { accountId } = yield* buyer()
  return yield* issueKey(accountId, { mode })
})

const reads = (tool: string, path: string, args: ToolCall["args"] = {}): ToolCall => ({
  tool,
  args,
  rest: { path: `${API}${path}` }
})

/** A text of the greatest length, of characters that are longest in a URL. */
const LONG = "🔔".repeat(2_048)

/** Calls that need nothing of the customer. */
export const commonCalls: ReadonlyArray<ToolCall> = [
  reads("about", "/balance"),
  reads("search_sites", "/catalog"),
  reads("search_sites", "/catalog?niche=Bell+founding&sort=price&limit=1", { niche: NICHE, sort: "price", limit: 1 }),
  reads("search_sites", "/catalog?niche=Bell+founding&niche=a,b&language=fr&language=en&shelf=Plancton,Corail", {
    niche: [NICHE, "a,b"],
    language: ["fr", "en"],
    shelf: "Plancton,Corail"
  }),
  reads("search_sites", "/catalog?not_linking_to=brand.example", { not_linking_to: "brand.example" }),
  reads("search_sites", "/catalog", { niche: [], language: null, shelf: [] }),
  reads("search_sites", "/catalog?max_price_eur=7.5&offset=1", { max_price_eur: 7.5, offset: 1 }),
  reads("search_sites", "/catalog?max_turnaround_days=7&limit=2", { max_turnaround_days: 7, limit: 2 }),
  reads("search_sites", "/catalog?query=%C3%A9%26%3D%20%2B&limit=50", { query: "é&= +", limit: 50 }),
  reads("search_sites", `/catalog?${new URLSearchParams({ niche: LONG, query: LONG })}`, { niche: LONG, query: LONG }),
  reads("check_balance", "/balance"),
  reads("list_orders", "/orders"),
  reads("list_orders", "/orders?status=paid&limit=2", { status: "paid", limit: 2 }),
  reads("list_ai_visibility_projects", "/ai-visibility/projects")
]

const changes = ({ placed, linkId }: CustomerWithOrder, body: Readonly<Record<string, unknown>>): ToolCall => ({
  tool: "change_link",
  args: { order_id: placed.order_id, link_id: linkId, ...body },
  rest: { method: "PATCH", path: `${ORDERS}/${placed.order_id}/links/${linkId}`, body },
  scope: "order",
  isOwn: true
})

const cancels = ({ placed }: CustomerWithOrder, body: Readonly<Record<string, unknown>>): ToolCall => ({
  tool: "cancel_links",
  args: { order_id: placed.order_id, ...body },
  rest: { method: "POST", path: `${ORDERS}/${placed.order_id}/cancel`, body },
  scope: "order",
  isOwn: true
})

/** Calls of the tools that /mcp/full has beside the eleven. */
export const furtherCalls = (who: CustomerWithOrder): ReadonlyArray<ToolCall> => [
  // The link has this anchor already.
  changes(who, { anchor_text: "a fine page" }),
  // The service has assigned the link already.
  cancels(who, { only: "cancellable" }),
  cancels(who, { only: "cancellable", link_ids: [who.linkId] }),
  reads("list_links", "/links"),
  reads("list_links", "/links?status=assigned&limit=1", { status: "assigned", limit: 1 }),
  reads("list_links", "/links?overdue=true&scope=account", { overdue: true, scope: "account" }),
  reads("list_invoices", "/invoices"),
  reads("list_invoices", "/invoices?limit=1", { limit: 1 }),
  reads("request_top_up", "/top-up?amount_eur=50", { amount_eur: 50 }),
  reads("request_top_up", "/top-up?amount_eur=12.5", { amount_eur: 12.5 })
]

export const refusedFurtherCalls = (who: CustomerWithOrder): ReadonlyArray<ToolCall> => [
  changes(who, {}),
  changes(who, { anchor_text: "\u200b" }),
  cancels(who, {}),
  cancels(who, { link_ids: ["lnk_none"] }),
  cancels(who, { only: "all" }),
  changes({ ...who, linkId: "lnk_none" }, { anchor_text: "a" }),
  reads("list_links", "/links?cursor=nonsense", { cursor: "nonsense" }),
  reads("list_invoices", "/invoices?cursor=nonsense", { cursor: "nonsense" }),
  reads("request_top_up", "/top-up", {}),
  reads("request_top_up", "/top-up?amount_eur=4.99", { amount_eur: 4.99 }),
  reads("request_top_up", "/top-up?amount_eur=5000.01", { amount_eur: 5_000.01 }),
  reads("request_top_up", "/top-up?amount_eur=12.345", { amount_eur: 12.345 })
]

const dryRun = (items: unknown): ToolCall => ({
  tool: "create_order",
  args: { items, dry_run: true },
  rest: { method: "POST", path: ORDERS, body: { items, dry_run: true } },
  scope: "order"
})

/** Calls about what the customer has. The order is a replay of the one placed before. */
export const callsOfCustomer = ({
  siteId,
  projectId,
  placed,
  idempotencyKey
}: CustomerWithOrder): ReadonlyArray<ToolCall> => {
  const { items } = cart([item(siteId)])
  return [
    ...commonCalls,
    reads("get_site", `/catalog/${siteId}`, { site_id: siteId }),
    reads("list_site_articles", `/catalog/${siteId}/articles`, { site_id: siteId }),
    reads("list_site_articles", `/catalog/${siteId}/articles?limit=1`, { site_id: siteId, limit: 1 }),
    dryRun(items),
    {
      tool: "create_order",
      args: { items, idempotency_key: idempotencyKey },
      rest: { method: "POST", path: ORDERS, body: { items }, headers: { "idempotency-key": idempotencyKey } },
      scope: "order"
    },
    reads("get_quote_status", `/quotes/${placed.quote_id}`, { quote_id: placed.quote_id }),
    reads("get_quote_status", `/quotes?idempotency_key=${idempotencyKey}`, { idempotency_key: idempotencyKey }),
    reads("get_order_status", `/orders/${placed.order_id}`, { order_id: placed.order_id }),
    reads("get_ai_visibility_plan", `/ai-visibility/projects/${projectId}/plan`, { project_id: projectId })
  ]
}

/** Arguments that no tool takes, under a name that libraries like to skip. */
export const hiddenArguments: ReadonlyArray<object> = [
  JSON.parse('{"__proto__":{"promo_code":"NOPE"}}'),
  JSON.parse('{"__proto__":"1"}')
]

/** What the API refuses, by tool. */
export const refusedCalls = (siteId: number): ReadonlyArray<ToolCall> => {
  const order = (over: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}): ToolCall => {
    const body = { ...cart([item(siteId)]), ...over }
    const key = headers["idempotency-key"]
    return {
      tool: "create_order",
      args: { ...body, ...(key === undefined ? {} : { idempotency_key: key }) },
      rest: { method: "POST", path: ORDERS, body, headers },
      scope: "order"
    }
  }
  return [
    reads("get_site", "/catalog/999999999", { site_id: 999_999_999 }),
    reads("list_site_articles", "/catalog/999999999/articles", { site_id: 999_999_999 }),
    reads("search_sites", "/catalog?cursor=nonsense", { cursor: "nonsense" }),
    reads("search_sites", "/catalog?query=+%CC%81+", { query: " \u0301 " }),
    reads("get_quote_status", "/quotes/q_unknown", { quote_id: "q_unknown" }),
    reads("get_quote_status", "/quotes?idempotency_key=never-sent", { idempotency_key: "never-sent" }),
    reads("get_order_status", "/orders/ord_%2F..%3Fa%3D%C3%A9", { order_id: "ord_/..?a=é" }),
    reads("get_order_status", `/orders/${encodeURIComponent(LONG)}`, { order_id: LONG }),
    reads("get_ai_visibility_plan", "/ai-visibility/projects/prj_none/plan", { project_id: "prj_none" }),
    order({ items: [] }),
    order({ items: [item(999_999_999)] }),
    order({ promo: "TEN" }),
    order({ promo_code: "NO-SUCH-CODE" }),
    order({ max_total_eur: 0.01 }),
    order({}, { "idempotency-key": "not visible" })
  ]
}

/** The same call to REST, with this key. */
export const callRest = ({ rest }: ToolCall, key: string) =>
  call(rest.method ?? "GET", rest.path, { key, ...("body" in rest ? { body: rest.body } : {}), ...rest })
