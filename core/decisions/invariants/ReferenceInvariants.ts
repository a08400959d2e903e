// The invariant of references: what a record names is there. A store that lost rows violates it.
import { HashMap } from "effect"
import type { Violation } from "#core/domain/operations/Invariant.ts"
import { all, type InvariantCheck } from "./InvariantCheck.ts"

type Found = Omit<Violation, "invariant">

/** Each id that `table` does not have, once. */
const missing = <K extends string | number>(
  by: string,
  ids: ReadonlyArray<K | null>,
  table: HashMap.HashMap<K, unknown>
): ReadonlyArray<Found> =>
  [...new Set(ids)]
    .filter((id) => id !== null && !HashMap.has(table, id))
    .map((id) => ({ subject: String(id), message: `it is not there, and named by ${by}` }))

/** The references that no other invariant covers, under the names of the database's tables. */
const namedIsThere: InvariantCheck = function* (books) {
  const { accounts, keys, sites, articles, projects, opportunities } = books
  const accountOf = ({ accountId }: { readonly accountId: string }) => accountId
  const keyOf = ({ keyId }: { readonly keyId: string }) => keyId
  const links = all(books.links)
  yield* missing("keys", all(keys).map(accountOf), accounts)
  yield* missing(
    "keys",
    all(keys).map(({ consent }) => consent?.memberId ?? null),
    books.members
  )
  yield* missing("members", all(books.members).map(accountOf), accounts)
  yield* missing("top_ups", all(books.topUps).map(accountOf), accounts)
  yield* missing(
    "top_ups",
    all(books.topUps).map(({ memberId }) => memberId),
    books.members
  )
  yield* missing("ledger", all(books.ledger).map(accountOf), accounts)
  yield* missing("quotes", all(books.quotes).map(accountOf), accounts)
  yield* missing("holds", all(books.holds).map(accountOf), accounts)
  yield* missing("invoices", all(books.invoices).map(accountOf), accounts)
  yield* missing("projects", all(projects).map(accountOf), accounts)
  yield* missing("quotes", all(books.quotes).map(keyOf), keys)
  yield* missing("bindings", all(books.bindings).map(keyOf), keys)
  yield* missing("subscriptions", all(books.subscriptions).map(keyOf), keys)
  yield* missing(
    "opportunities",
    all(opportunities).map(({ projectId }) => projectId),
    projects
  )
  yield* missing(
    "articles",
    all(articles).map(({ siteId }) => siteId),
    sites
  )
  yield* missing(
    "links",
    links.map(({ siteId }) => siteId),
    sites
  )
  yield* missing(
    "links",
    links.map(({ articleId }) => articleId),
    articles
  )
  yield* missing(
    "links",
    links.map(({ projectId }) => projectId),
    projects
  )
  yield* missing(
    "links",
    links.map(({ opportunityId }) => opportunityId),
    opportunities
  )
  const codes = all(books.quotes).map(({ discount, mode, status }) =>
    discount.source === "promo" && mode === "live" && status !== "abandoned" ? (discount.code ?? null) : null
  )
  yield* missing("quotes", codes, books.promos)
}

export const referenceInvariants = { named_is_there: namedIsThere } as const
