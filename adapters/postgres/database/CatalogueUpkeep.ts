// What each start brings up to date in the rows of the catalogue: prices of this version's shelves, and folded keywords.
import { Duration, Effect, Schema } from "effect"
import { Article } from "#core/domain/catalogue/Catalogue.ts"
import { foldedKeywords } from "#core/domain/catalogue/SiteFilters.ts"
import { SHELVES } from "#core/domain/pricing/Shelf.ts"
import type { RunWrite } from "./Connections.ts"
import type { Database } from "./Database.ts"
import { bigintArray, decodeRows } from "./Queries.ts"

/** The first or last entry of the index `sites_of_shelf_by_price` from this shelf on: one of the shelf's own sites, if it has any. */
const endOf = (comparison: ">=" | "<=", direction: "ASC" | "DESC"): string =>
  `(SELECT s.shelf, s.price_cents FROM sites s WHERE s.open AND s.shelf ${comparison} today.shelf
    ORDER BY s.shelf ${direction}, s.price_cents ${direction} LIMIT 1)`

const TODAY = "unnest($1::text[], $2::bigint[]) AS today (shelf, price_cents)"

/** Whether the cheapest or the dearest site of a shelf has another price than the shelf's current one. If not, none has. */
const outdated = `
SELECT FROM ${TODAY}
WHERE EXISTS (
  SELECT FROM (${endOf(">=", "ASC")} UNION ALL ${endOf("<=", "DESC")}) found
  WHERE found.shelf = today.shelf AND found.price_cents <> today.price_cents
)`

const setPrices = `
WITH repriced AS (
  UPDATE sites SET price_cents = today.price_cents FROM ${TODAY}
  WHERE sites.open AND sites.shelf = today.shelf AND sites.price_cents <> today.price_cents RETURNING 1
)
UPDATE shop SET catalogue = catalogue || '+' WHERE EXISTS (SELECT FROM repriced)`

/**
 * Updates the sites' prices if this version of the service has other prices for a shelf. Closed sites are in no list; they get their
 * price when they are opened again.
 */
export const reprice = Effect.fnUntraced(function* (run: RunWrite) {
  const prices = [SHELVES.map(({ shelf }) => shelf), SHELVES.map(({ priceCents }) => priceCents)]
  if ((yield* run(outdated, prices)).length > 0) yield* run(setPrices, prices)
})

const UNFOLDED_PAGE = 5_000

/** An article that another session writes gets its keywords folded by that. */
const unfolded = `SELECT article_id AS "articleId", keywords FROM articles WHERE keywords_folded IS NULL
  LIMIT ${UNFOLDED_PAGE} FOR NO KEY UPDATE SKIP LOCKED`

const setKeywords = `
UPDATE articles SET keywords_folded = folded.keywords
FROM unnest($1::bigint[], $2::text[]) AS folded (article_id, keywords) WHERE articles.article_id = folded.article_id`

const decodeUnfolded = decodeRows(Schema.Struct({ articleId: Schema.BigInt, keywords: Article.fields.keywords }))

/**
 * Folds the keywords of articles that a version from before step 061 listed, some in a transaction: instances beside this one go on meanwhile,
 * and only do not find these articles by their keywords.
 */
export const foldKeywords = Effect.fnUntraced(function* (database: Database["Service"]) {
  const some = database.transaction(
    Effect.fnUntraced(function* (run) {
      const found = decodeUnfolded(yield* run(unfolded, []))
      if (found.length > 0)
        yield* run(setKeywords, [
          bigintArray(found.map(({ articleId }) => Number(articleId))),
          found.map(foldedKeywords)
        ])
      return found.length
    }),
    Duration.minutes(1)
  )
  while ((yield* some) > 0) yield* Effect.yieldNow
})
