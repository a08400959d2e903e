// The steps of the transcript over REST beside orders: system routes, access, catalogue, balance, webhooks, AI visibility.
import type { Recorder } from "./Recorder.ts"

export const API = "/api/v1/agent"
const ORDERS = `${API}/orders`

export const item = (site_id: number, more: object = {}) => ({
  site_id,
  target_url: "https://willow-and-spade.example/spring",
  anchor_text: "spring garden tools",
  anchor_type: "partial",
  ...more
})

/** What later steps refer to. */
export interface Placed {
  readonly orderId: string
  readonly quoteId: string
  readonly projectId: string
  readonly articleSite: number
  readonly cursor: string
}

export const systemRoutes = async (it: Recorder): Promise<void> => {
  const paths = [
    "/healthz",
    "/readyz",
    "/llms.txt",
    "/openapi.json",
    "/",
    "/favicon.ico",
    "/nowhere",
    "/mcp",
    "/metrics/"
  ]
  for (const path of [...paths, API, `${API}/nothing`, `${API}/catalog/`]) await it.call("GET", path, { key: null })
  await it.call("GET", "/docs", { key: null, lengthOnly: true })
}

export const access = async (it: Recorder): Promise<void> => {
  const wrong = ["sn_live_short", `${it.keys.live.slice(0, -1)}x`]
  for (const key of [null, ...wrong]) await it.call("GET", `${API}/balance`, { key })
  for (const authorization of ["Basic abc", "Bearer"]) {
    await it.call("GET", `${API}/balance`, { key: null, headers: { authorization } })
  }
  await it.call("POST", ORDERS, { key: it.keys.readOnly, body: { items: [item(1)] } })
  for (const method of ["PUT", "DELETE", "PATCH"]) await it.call(method, ORDERS, { body: {} })
}

const QUERIES = [
  ...["", "?limit=3", "?shelf=Corail&language=en&sort=-tf&limit=2", "?sort=price&limit=2", "?offset=5&limit=2"],
  ...["?sort=-traffic&limit=2&min_tf=20&min_traffic=1000&max_price_eur=15", "?query=garden", "?query=zzzzzz"],
  ...["?niche=Gardening", "?limit=0", "?limit=51", "?limit=x", "?unknown=1", "?shelf=Whale", "?limit=2&limit=3"],
  ...["?sort=x", "?offset=-1", "?cursor=abc", "?query=%20", "?max_price_eur=4.999", `?query=${"x".repeat(3_000)}`]
]

/** Returns a cursor of Corail sites, and a site with articles. */
export const catalogue = async (it: Recorder) => {
  for (const query of QUERIES) await it.call("GET", `${API}/catalog${query}`)
  await it.call("GET", `${API}/catalog?limit=2`, { key: it.keys.test })
  const page = await it.call("GET", `${API}/catalog?limit=2&shelf=Corail`)
  const cursor = page.at("next_cursor")
  for (const query of ["limit=2&shelf=Corail", "limit=2&shelf=Plancton", "limit=2&shelf=Corail&offset=1"]) {
    await it.call("GET", `${API}/catalog?${query}&cursor=${encodeURIComponent(cursor)}`)
  }
  for (const id of ["1", "2", "3", "999999", "x", "-1", "1.5"]) {
    await it.call("GET", `${API}/catalog/${id}`)
    await it.call("GET", `${API}/catalog/${id}/articles?limit=2`)
  }
  for (let site = 1; ; site++) {
    const articles = await it.call("GET", `${API}/catalog/${site}/articles?limit=1`)
    if (articles.at("next_cursor") !== "")
      return { cursor, site, article: Number(articles.at("articles", 0, "article_id")) }
  }
}

export const balances = async (it: Recorder): Promise<void> => {
  for (const key of [it.keys.live, it.keys.test, it.keys.poor]) await it.call("GET", `${API}/balance`, { key })
  await it.call("GET", `${API}/balance/ledger`)
  await it.call("GET", `${API}/balance?x=1`)
}

/** Returns the id of a webhook for all events. */
export const webhooks = async (it: Recorder): Promise<string> => {
  const path = `${API}/webhooks`
  const events = ["order.accepted", "order.published", "order.cancelled"]
  const created = await it.call("POST", path, { body: { url: it.receiverUrl, events } })
  await it.call("POST", path, { key: it.keys.test, body: { url: it.receiverUrl, events: ["order.accepted"] } })
  const refused = [
    {},
    { url: "nope", events },
    { url: it.receiverUrl, events: [] },
    { url: it.receiverUrl, events: ["x"] },
    { url: it.receiverUrl.replace("127", "user:pass@127"), events },
    { url: "http://127.0.0.1:1/", events },
    { url: it.receiverUrl, events, more: 1 }
  ]
  for (const body of refused) await it.call("POST", path, { body })
  for (const key of [it.keys.live, it.keys.test, it.keys.poor]) await it.call("GET", path, { key })
  const id = created.at("id")
  await it.call("POST", `${path}/${id}/test`)
  // Two probes and the test.
  await it.deliveries(3)
  await it.call("GET", `${path}/${id}/deliveries`)
  await it.call("GET", `${path}/wh_unknown/deliveries`)
  return id
}

export const webhookUpkeep = async (it: Recorder, webhook: string): Promise<void> => {
  const path = `${API}/webhooks/${webhook}`
  const delivered = await it.call("GET", `${path}/deliveries`)
  await it.call("POST", `${path}/deliveries/${delivered.at("deliveries", 0, "delivery_id")}/redeliver`)
  await it.call("POST", `${path}/deliveries/dlv_unknown/redeliver`)
  await it.deliveries(1)
  await it.call("POST", `${path}/rotate-secret`)
  await it.call("POST", `${path}/test`)
  await it.deliveries(1)
  for (const _ of [1, 2]) await it.call("DELETE", path)
  await it.call("GET", `${API}/webhooks`)
}

/** Returns the id of the demo's project. */
export const visibility = async (it: Recorder): Promise<string> => {
  const path = `${API}/ai-visibility/projects`
  const projects = await it.call("GET", path)
  await it.call("GET", path, { key: it.keys.poor })
  const projectId = projects.at("projects", 0, "project_id")
  for (const id of [projectId, "prj_x"]) await it.call("GET", `${path}/${id}/plan`)
  return projectId
}
