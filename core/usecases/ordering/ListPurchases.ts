// Lists the quotes and the links of a credential, or of all of its account in its mode, for an agent.
import { Clock, Context, Effect, Layer } from "effect"
import type { AccountViewRefused } from "#core/domain/access/AccessRefusal.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { ListScope } from "#core/domain/access/ListScope.ts"
import type { PlacedBy } from "#core/domain/access/PlacedBy.ts"
import type { LinkConditions, PlacedLink } from "#core/domain/ordering/Order.ts"
import { awaitsApproval, hasExpired, type Quote } from "#core/domain/ordering/Quote.ts"
import { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import {
  type LinkPage,
  type LinkPosition,
  type ListedQuote,
  Purchases,
  type QuotePage
} from "#core/ports/ordering/Purchases.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { listedCredentials } from "../shared/ListedCredentials.ts"
import { AbandonQuote, READ_TIMEOUT } from "./AbandonQuote.ts"

export interface ListedQuoteReport extends ListedQuote {
  readonly placedBy: PlacedBy
  /** Where an owner approves or declines it; `null` unless it awaits that. */
  readonly approvalUrl: string | null
  readonly asOfMs: number
}

export interface QuoteReportPage extends Omit<QuotePage, "quotes"> {
  readonly quotes: ReadonlyArray<ListedQuoteReport>
}

export interface PlacedLinkPage extends Omit<LinkPage, "links"> {
  readonly links: ReadonlyArray<PlacedLink>
  readonly asOfMs: number
}

/** Quotes that have expired unswept are few. */
const EXPIRED_AT_ONCE = 4

export class ListPurchases extends Context.Service<
  ListPurchases,
  {
    /** Newest first. */
    readonly quotes: (
      caller: Caller,
      query: PageRequest<QuoteId> & { readonly scope: ListScope; readonly status: QuoteStatus | null }
    ) => Effect.Effect<QuoteReportPage, AccountViewRefused | StoreUnavailable>
    /** Those of the newest order first. */
    readonly links: (
      caller: Caller,
      query: {
        readonly scope: ListScope
        readonly conditions: LinkConditions
        readonly limit: number
        readonly after: LinkPosition | null
      }
    ) => Effect.Effect<PlacedLinkPage, AccountViewRefused | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/ListPurchases") {
  static readonly layer = Layer.effect(
    ListPurchases,
    Effect.gen(function* () {
      const purchases = yield* Purchases
      const { listed } = yield* listedCredentials
      const { expire } = yield* AbandonQuote
      const { approvalPage } = yield* ServiceContext

      /** Abandons a quote that has expired. It stays unchanged if the processor fails or the time runs out. */
      const refresh = Effect.fnUntraced(function* ({ quote, orderStatus }: ListedQuote) {
        const atMs = yield* Clock.currentTimeMillis
        const unchanged = () => Effect.succeed({ quote, atMs })
        const fresh = hasExpired(quote, atMs)
          ? yield* expire(quote).pipe(
              Effect.catchTag(["ProcessorUnavailable", "QuoteNotFound"], unchanged),
              Effect.timeoutOrElse({ duration: READ_TIMEOUT, orElse: unchanged })
            )
          : { quote, atMs }
        return reportOf(fresh.quote, fresh.atMs, orderStatus)
      })

      const reportOf = (quote: Quote, asOfMs: number, orderStatus: ListedQuote["orderStatus"]) => ({
        quote,
        // A payment that came just before the expiry has made its order a moment ago.
        orderStatus: quote.orderId !== null && orderStatus === null ? "paid" : orderStatus,
        approvalUrl: awaitsApproval(quote) ? approvalPage(quote.quoteId) : null,
        asOfMs
      })

      return ListPurchases.of({
        quotes: Effect.fn("ListPurchases.quotes")(function* (caller, { scope, status, ...query }) {
          const { keys, placedBy } = yield* listed(caller, scope)
          const statuses = status === null ? QuoteStatus.literals : [status]
          const found = yield* purchases.quotes({ ...keys, ...query, statuses })
          const reports = yield* Effect.forEach(found.quotes, refresh, { concurrency: EXPIRED_AT_ONCE })
          const quotes = reports.map((one) => ({ ...one, placedBy: placedBy(one.quote) }))
          const isAsked = ({ quote }: ListedQuote) => statuses.includes(quote.status)
          return { ...found, quotes: quotes.filter(isAsked) }
        }),
        links: Effect.fn("ListPurchases.links")(function* (caller, { scope, ...query }) {
          const { keys, placedBy } = yield* listed(caller, scope)
          const asOfMs = yield* Clock.currentTimeMillis
          const page = yield* purchases.links({ ...keys, ...query, asOfMs })
          return { ...page, asOfMs, links: page.links.map((one) => ({ ...one, placedBy: placedBy(one.order) })) }
        })
      })
    })
  )
}
