// The invariant of references: what a record names is there. A store that lost rows violates it.
import { HashMap } from "effect"
import type { Violation } from "#core/domain/operations/Invariant.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { AccountId, KeyId, MemberId } from "#core/domain/shared/Ids.ts"
import type { Books } from "../Books.ts"
import { all, type InvariantCheck } from "./InvariantCheck.ts"

type Found = Omit<Violation, "invariant">

/** Each id that `table` does not have, once. */
const missing = <K extends string | number>(
  by: string,
  ids: ReadonlyArray<NoInfer<K> | null>,
  table: HashMap.HashMap<K, unknown>
): ReadonlyArray<Found> =>
  [...new Set(ids)]
    .filter((id) => id !== null && !HashMap.has(table, id))
    .map((id) => ({ subject: String(id), message: `it is not there, and named by ${by}` }))

const accountOf = ({ accountId }: { readonly accountId: AccountId }) => accountId
const keyOf = ({ keyId }: { readonly keyId: KeyId }) => keyId
const memberOf = ({ memberId }: { readonly memberId: MemberId }) => memberId

const missingAccounts = function* ({ accounts, ...books }: Books) {
  yield* missing("keys", all(books.keys).map(accountOf), accounts)
  yield* missing("members", all(books.members).map(accountOf), accounts)
  yield* missing("top_ups", all(books.topUps).map(accountOf), accounts)
  yield* missing("ledger", all(books.ledger).map(accountOf), accounts)
  yield* missing("quotes", all(books.quotes).map(accountOf), accounts)
  yield* missing("holds", all(books.holds).map(accountOf), accounts)
  yield* missing("invoices", all(books.invoices).map(accountOf), accounts)
  yield* missing("projects", all(books.projects).map(accountOf), accounts)
}

const missingKeysAndMembers = function* ({ keys, members, ...books }: Books) {
  const consenting = all(keys).map(({ consent }) => consent?.memberId ?? null)
  yield* missing("keys", consenting, members)
  yield* missing("top_ups", all(books.topUps).map(memberOf), members)
  yield* missing("quotes", all(books.quotes).map(keyOf), keys)
  yield* missing(
    "quotes",
    all(books.quotes).map(({ memberId = null }) => memberId),
    members
  )
  yield* missing("bindings", all(books.bindings).map(keyOf), keys)
  yield* missing("subscriptions", all(books.subscriptions).map(keyOf), keys)
}

const siteOf = ({ siteId }: { readonly siteId: number }) => siteId
const projectOf = <A>({ projectId }: { readonly projectId: A }) => projectId

/** The code of a promotion that a quote uses. */
const codeOf = ({ discount, mode, status }: Quote) =>
  discount.source === "promo" && mode === "live" && status !== "abandoned" ? (discount.code ?? null) : null

const missingInCatalogue = function* ({ sites, articles, projects, opportunities, ...books }: Books) {
  const links = all(books.links)
  const linkedArticles = links.map(({ articleId }) => articleId)
  const linkedOpportunities = links.map(({ opportunityId }) => opportunityId)
  yield* missing("opportunities", all(opportunities).map(projectOf), projects)
  yield* missing("articles", all(articles).map(siteOf), sites)
  yield* missing("links", links.map(siteOf), sites)
  yield* missing("links", linkedArticles, articles)
  yield* missing("links", links.map(projectOf), projects)
  yield* missing("links", linkedOpportunities, opportunities)
  yield* missing("quotes", all(books.quotes).map(codeOf), books.promos)
}

/** The references that no other invariant covers, under the names of the database's tables. */
const namedIsThere: InvariantCheck = function* (books) {
  yield* missingAccounts(books)
  yield* missingKeysAndMembers(books)
  yield* missingInCatalogue(books)
}

export const referenceInvariants = { named_is_there: namedIsThere } as const
