// Turns a wish for so many links on each shelf into the items of an order, on sites of the demo's catalogue chosen by chance of
// the seed. Targets and anchors are invented.
import { Effect, Random } from "effect"
import type { OrderItem, OrderRequest } from "#adapters/contract/OrderRequest.ts"
import { SHELVES, type Shelf } from "#core/domain/Shelf.ts"
import type { Basket } from "./Scenario.ts"

/** The demo has so many sites on each shelf; ids go round the shelves. */
const SITES_OF_A_SHELF = 30

const ANCHORS = ["spring garden tools", "a slow travel guide", "kitchen herb kits", "quiet keyboards", "trail shoes"]

const siteOn = (shelf: Shelf) =>
  Effect.map(Random.nextIntBetween(0, SITES_OF_A_SHELF - 1), (row) => {
    return row * SHELVES.length + SHELVES.findIndex((one) => one.shelf === shelf) + 1
  })

export const itemOn = Effect.fnUntraced(function* (shelf: Shelf) {
  const site_id = yield* siteOn(shelf)
  const anchor_text = ANCHORS[yield* Random.nextIntBetween(0, ANCHORS.length - 1)] ?? ANCHORS[0] ?? ""
  const item: OrderItem = {
    site_id,
    target_url: `https://willow-and-spade.example/${anchor_text.replaceAll(" ", "-")}`,
    anchor_text,
    anchor_type: "partial",
    format: "new_article",
    tier2_links: 0
  }
  return item
})

export const requestFor = Effect.fnUntraced(function* (basket: Basket, promo?: string) {
  const shelves = SHELVES.flatMap(({ shelf }) => Array.from({ length: basket[shelf] ?? 0 }, () => shelf))
  const items = yield* Effect.forEach(shelves, itemOn)
  const request: OrderRequest = { items, dry_run: false, ...(promo === undefined ? {} : { promo_code: promo }) }
  return request
})

/** "2 links", for what an agent says it does. */
export const links = (count: number): string => (count === 1 ? "1 link" : `${count} links`)
