// Operations of links: the list over all orders, and the same as a file.
import { Effect, Schema, Stream } from "effect"
import { LINKS_CSV_HEAD, linkLine, readLinkConditions, showFlatLink } from "#adapters/contract/ordering/Links.ts"
import { showListSummary } from "#adapters/contract/schema/ListSummary.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { ListPurchases } from "#core/usecases/ordering/ListPurchases.ts"
import type { LinksApi } from "../api/LinksApi.ts"
import { BytesResponse } from "./JsonResponse.ts"
import type { OperationsOf } from "./Operation.ts"

const linkCursor = pageCursor("links", Schema.Struct({ orderId: OrderId, index: Schema.Int }))

type LinkPage = Effect.Success<ReturnType<ListPurchases["Service"]["links"]>>

/** A file is read in larger pages. */
const LINES_AT_ONCE = 200

const linesOf = ({ links, asOfMs }: LinkPage): string =>
  links.map((one) => linkLine(showFlatLink(one, asOfMs))).join("")

export const linksOperations = Effect.map(
  ListPurchases,
  (purchases): OperationsOf<typeof LinksApi> => ({
    listLinks: Effect.fnUntraced(function* (caller, { query }) {
      const { scope = "key", limit = PAGE_SIZE, cursor, ...asked } = query
      const conditions = readLinkConditions(asked)
      const filters = { ...conditions, scope }
      const after = yield* Effect.fromResult(linkCursor.begin(filters, cursor))
      const page = yield* purchases.links(caller, { scope, conditions, limit, after })
      return {
        ok: true as const,
        count: page.links.length,
        links: page.links.map((one) => showFlatLink(one, page.asOfMs)),
        ...showListSummary("link", page),
        ...linkCursor.next(filters, page.next),
        sandbox: caller.mode === "sandbox"
      }
    }),

    downloadLinks: Effect.fnUntraced(function* (caller, { query: { scope = "key", ...asked } }) {
      const conditions = readLinkConditions(asked)
      const pageAfter = (after: LinkPage["next"]) =>
        purchases.links(caller, { scope, conditions, limit: LINES_AT_ONCE, after })
      // What cannot be listed is refused before the file begins.
      const opening = yield* pageAfter(null)
      const rest = Stream.unfold(opening.next, (after) =>
        after === null
          ? Effect.succeed(undefined)
          : Effect.map(pageAfter(after), (page) => [linesOf(page), page.next] as const)
      )
      const content = Stream.concat(Stream.make(`${LINKS_CSV_HEAD}${linesOf(opening)}`), rest)
      return new BytesResponse({ status: 200, content, contentType: "text/csv; charset=utf-8", fileName: "links.csv" })
    })
  })
)
