// The examples of a purchase: find sites, see the price, order, follow, change, cancel. Played in this order against the demo.
import { Effect } from "effect"
import type { At, ExampleRecorder } from "./ExampleRecorder.ts"
import { keys } from "./ExampleRecorder.ts"

const PROJECT = "prj_demo"
const SINCE = "2026-11-21"

export const spring = {
  site_id: 2,
  target_url: "https://willow-and-spade.example/spring",
  anchor_text: "spring garden tools",
  anchor_type: "partial"
}

const shed = {
  site_id: 3,
  target_url: "https://willow-and-spade.example/shed",
  anchor_text: "Willow & Spade",
  anchor_type: "branded"
}

export const findSites = Effect.fnUntraced(function* ({ play }: ExampleRecorder) {
  const first = yield* play("searchSites", "by_niche", {
    summary: "English gardening sites, the strongest first",
    query: { niche: ["Gardening"], language: ["en"], sort: "-tf", limit: 1 }
  })
  yield* play("searchSites", "next_page", {
    summary: "The page after that",
    query: { niche: ["Gardening"], language: ["en"], sort: "-tf", limit: 1, cursor: first("next_cursor") }
  })
  yield* play("searchSites", "by_metrics", {
    summary: "Sites for up to 15 euros by their metrics, without those that link to you",
    query: {
      ...{ shelf: ["Plancton", "Corail"], max_price_eur: 15, link_rel: "dofollow", max_turnaround_days: 7 },
      ...{ min_tf: 20, min_cf: 20, min_rd: 200, min_moz_da: 20, min_traffic: 5_000, min_ranked_keywords: 250 },
      ...{ not_linking_to: "willow-and-spade.example", limit: 1 }
    }
  })
  yield* play("searchSites", "with_articles", {
    summary: "Sites with an article that ranks for a query and takes a link",
    query: { has_articles: true, article_query: "gardening tips", limit: 1 }
  })
  yield* play("searchSites", "by_text", {
    summary: "Sites with a text in their domain or niche, without the first of them",
    query: { query: "garden", offset: 1, limit: 1 }
  })
  yield* play("searchSites", "no_match", { summary: "Nothing matches", query: { query: "submarines" } })
  yield* play("getFacets", "all", { summary: "What sites can be filtered by" })
  yield* play("getSite", "in_full", { summary: "A site with every metric and price", path: { id: 2 } })
  yield* play("listArticles", "of_a_site", {
    summary: "An article that takes a link",
    path: { id: 5 },
    query: { limit: 1 }
  })
  yield* play("listProjects", "all", { summary: "The demo's project", query: { limit: 20 } })
})

/** The orders that later examples follow. */
export interface Bought {
  readonly order: At
  readonly ofProject: At
  /** Waits for a payment. */
  readonly byCard: At
}

const orderFromCredit = Effect.fnUntraced(function* ({ play }: ExampleRecorder) {
  yield* play("createOrder", "price_check", {
    summary: "See the price of two links with a promo code; nothing is ordered",
    body: { items: [spring, { ...shed, tier2_links: 3 }], promo_code: "TEN", dry_run: true }
  })
  const order = yield* play("createOrder", "from_credit", {
    summary: "Buy one link from prepaid credit, for 15 euros at most",
    idempotencyKey: "spring-campaign-1",
    body: { items: [spring], max_total_eur: 15, reference: "PO-1001" }
  })
  yield* play("createOrder", "insertion_and_new_article", {
    summary: "Insert a link into an article that is online, and have another one written",
    idempotencyKey: "spring-campaign-2",
    body: {
      items: [
        {
          site_id: 5,
          target_url: "https://willow-and-spade.example/gloves",
          anchor_text: "gloves for gardeners",
          anchor_type: "exact",
          format: "insertion",
          article_id: 1004,
          reference: "gloves"
        },
        {
          site_id: 8,
          target_url: "https://willow-and-spade.example/herbs",
          anchor_text: "https://willow-and-spade.example/herbs",
          anchor_type: "naked_url",
          brief: "Please mention that the kits fit a small balcony."
        }
      ]
    }
  })
  return order
})

export const order = Effect.fnUntraced(function* (recorder: ExampleRecorder) {
  const { play } = recorder
  const plan = yield* play("getPlan", "open_opportunities", {
    summary: "What to order for the demo's project",
    path: { id: PROJECT }
  })
  const item = (name: string) => plan("items", 0, name)
  const placed = yield* orderFromCredit(recorder)
  const ofProject = yield* play("createOrder", "for_a_project", {
    summary: "Order an item of the project's plan, unchanged",
    idempotencyKey: "project-1",
    body: {
      items: [
        {
          ...{ site_id: Number(item("site_id")), target_url: item("target_url"), anchor_text: item("anchor_text") },
          ...{ anchor_type: item("anchor_type"), format: item("format"), tier2_links: Number(item("tier2_links")) },
          ...{ project_id: item("project_id"), opportunity_id: item("opportunity_id") }
        }
      ]
    }
  })
  yield* play("createOrder", "by_card", {
    summary: "An account without credit gets a link on which a human pays",
    description: "With the demo's no-credit key.",
    key: keys.noCredit,
    idempotencyKey: "robots-1",
    body: {
      items: [{ ...shed, target_url: "https://cardboard-robots.example/", anchor_text: "cardboard robots" }],
      promo_code: "TEN"
    }
  })
  const byCard = yield* play("createOrder", "credit_and_card", {
    summary: "What prepaid credit does not cover is left for a human to pay",
    idempotencyKey: "summer-campaign-1",
    body: {
      items: [6, 9, 12].map((site_id) => ({
        ...{ site_id, target_url: "https://willow-and-spade.example/summer" },
        ...{ anchor_text: `summer tools ${site_id / 3 - 1}`, anchor_type: "partial" }
      }))
    }
  })
  return { order: placed, ofProject, byCard } satisfies Bought
})

export const follow = Effect.fnUntraced(function* ({ play }: ExampleRecorder, bought: Bought) {
  const id = bought.order("order_id")
  const order = yield* play("getOrder", "placed", { summary: "An order on which work has not begun", path: { id } })
  yield* play("listOrders", "newest", { summary: "The newest order of this key", query: { limit: 1 } })
  yield* play("listOrders", "of_a_month", {
    summary: "What the whole account bought in some time",
    query: { scope: "account", status: "paid", created_from: SINCE, created_to: "2027-11-30", limit: 1 }
  })
  yield* play("listOrders", "by_what_they_link", {
    summary: "Orders with a reference, to a domain, on a site",
    query: { reference: "PO-1001", target_domain: "willow-and-spade.example", site_id: 2 }
  })
  yield* play("listOrders", "of_a_project", { summary: "Orders of a project", query: { project_id: PROJECT } })
  yield* play("listLinks", "not_begun", {
    summary: "Links of the whole account on which work has not begun, in time",
    query: { scope: "account", status: "to_assign", overdue: false, created_from: SINCE, limit: 1 }
  })
  yield* play("listLinks", "by_what_they_are", {
    summary: "A link by its order's reference, target and site",
    query: {
      ...{ reference: "PO-1001", target_domain: "willow-and-spade.example", site_id: 2, created_to: "2027-11-30" }
    }
  })
  yield* play("listLinks", "of_a_project", { summary: "Links of a project", query: { project_id: PROJECT } })
  yield* play("downloadLinks", "of_the_account", {
    summary: "Links of the whole account as CSV",
    query: {
      ...{ scope: "account", status: "to_assign", overdue: false, site_id: 2 },
      ...{ created_from: SINCE, created_to: "2027-11-30", target_domain: "willow-and-spade.example" }
    }
  })
  yield* play("downloadLinks", "of_a_project", { summary: "Links of a project as CSV", query: { project_id: PROJECT } })
  yield* play("downloadLinks", "by_reference", { summary: "By reference, as CSV", query: { reference: "PO-1001" } })
  const link = { id, link_id: order("items", 0, "link_id") }
  yield* play("changeLink", "check", {
    summary: "See what a change would do; nothing is changed",
    path: link,
    body: { target_url: "https://willow-and-spade.example/spring/tools", dry_run: true }
  })
  yield* play("changeLink", "other_words", {
    summary: "Other words for the link, and a wish for the writer",
    path: link,
    idempotencyKey: "change-1",
    body: { anchor_text: "tools for spring", brief: "Please write about raised beds." }
  })
  yield* play("cancelOrder", "all_links", {
    summary: "Cancel all links of an order; their price comes back as credit",
    path: { id: bought.ofProject("order_id") },
    idempotencyKey: "cancel-1",
    body: {}
  })
})

export const followQuotes = Effect.fnUntraced(function* ({ play }: ExampleRecorder, bought: Bought) {
  const id = bought.byCard("quote_id")
  yield* play("findQuote", "by_idempotency_key", {
    summary: "Whether an order went through whose answer was lost",
    query: { idempotency_key: "spring-campaign-1" }
  })
  yield* play("findQuote", "awaiting_payment", {
    summary: "What of the whole account waits for a payment",
    query: { scope: "account", status: "awaiting_payment", limit: 1 }
  })
  yield* play("getQuote", "awaiting_payment", { summary: "A quote that waits for a human to pay", path: { id } })
  yield* play("getQuote", "paid", {
    summary: "A quote that is paid, with its order",
    path: { id: bought.order("quote_id") }
  })
  yield* play("getMe", "key", { summary: "A key without limits" })
  yield* play("getBalance", "with_a_hold", { summary: "Credit, some of it held for a quote" })
  yield* play("abandonQuote", "given_up", {
    summary: "Give up a quote; its hold comes back",
    path: { id },
    idempotencyKey: "give-up-1"
  })
  yield* play("listLedger", "newest", { summary: "The newest movements of credit", query: { limit: 2 } })
  yield* play("requestTopUp", "fifty_euros", {
    summary: "The page on which a human adds 50 euros",
    query: { amount_eur: 50 }
  })
})
