// Links one by one: the list, which is flat, and the same as CSV.
import { Schema } from "effect"
import { LinkStatus } from "#core/domain/ordering/Link.ts"
import type { LinkConditions, PlacedLink } from "#core/domain/ordering/Order.ts"
import { PageCount } from "../schema/Amount.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { leftOutFields, totalsField } from "../schema/ListSummary.ts"
import { endsAfter } from "../schema/Moment.ts"
import { NextCursor } from "../schema/Paging.ts"
import { queryBoolean } from "../schema/QueryValue.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { at, timestamp } from "../schema/Text.ts"
import { type Cell, csvLine } from "../shared/Csv.ts"
import { LinkRecord, Reference, showLink } from "./Orders.ts"
import { OrdersQuery, readConditions } from "./OrdersQuery.ts"

const { status: _status, limit, cursor, ...filters } = OrdersQuery.fields

const linkFilters = {
  ...filters,
  status: Schema.optionalKey(LinkStatus.annotate({ description: "Only links in this status." })),
  overdue: Schema.optionalKey(queryBoolean("Only links that are overdue; `false`: only those that are not."))
}

const inOrder = endsAfter("created_from", "created_to")

export const LinksQuery = Schema.Struct({ ...linkFilters, limit, cursor }).check(inOrder)
export type LinksQuery = typeof LinksQuery.Type

/** All links that match are in the file. */
export const LinksCsvQuery = Schema.Struct(linkFilters).check(inOrder)
export type LinksCsvQuery = typeof LinksCsvQuery.Type

export const readLinkConditions = ({ status, overdue, ...query }: LinksCsvQuery): LinkConditions => ({
  ...readConditions(query),
  ...(status === undefined ? {} : { status }),
  ...(overdue === undefined ? {} : { overdue })
})

const { history: _history, reference, ...linkFields } = LinkRecord.fields

export const FlatLink = Schema.Struct({
  ...linkFields,
  reference,
  order_id: answerId.order,
  quote_id: answerId.quote,
  order_reference: Reference.annotate({ description: "The `reference` of its order; `null` if none was given." }),
  ordered_at: at("When its order was made."),
  sandbox: Sandbox
}).annotate({
  identifier: "FlatLink",
  description: "A link with what it needs of its order; its history is in the order."
})
export type FlatLink = typeof FlatLink.Type

export const LinkList = Schema.Struct({
  ok: Ok,
  count: PageCount,
  links: Schema.Array(FlatLink).annotate({ description: "Those of the newest order first." }),
  ...totalsField("link"),
  ...leftOutFields("link"),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "LinkList", description: "A page of this key's links, or of all of the account's." })
export type LinkList = typeof LinkList.Type

export const showFlatLink = ({ order, link, placedBy }: PlacedLink, asOfMs: number): FlatLink => {
  const { history: _, ...shown } = showLink(link, placedBy, asOfMs)
  return {
    ...shown,
    order_id: order.orderId,
    quote_id: order.quoteId,
    order_reference: order.reference,
    ordered_at: timestamp(order.createdAtMs),
    sandbox: order.mode === "sandbox"
  }
}

const cellOf = (value: Exclude<FlatLink[keyof FlatLink], FlatLink["placed_by"]>): Cell =>
  typeof value === "boolean" ? String(value) : (value ?? null)

type Column = readonly [name: string, cell: (link: FlatLink) => Cell]

/** Who placed it takes a column for each member; all others are their own. */
const columnsOf = (name: keyof FlatLink): ReadonlyArray<Column> =>
  name === "placed_by"
    ? (["id", "kind", "label"] as const).map((part) => [`placed_by_${part}`, ({ placed_by }) => placed_by[part]])
    : [[name, (link) => cellOf(link[name])]]

// The names of its members.
const COLUMNS = (Object.keys(FlatLink.fields) as ReadonlyArray<keyof FlatLink>).flatMap(columnsOf)

/** For programs, so that it begins with no byte order mark. */
export const LINKS_CSV_HEAD = csvLine(COLUMNS.map(([name]) => name))

export const linkLine = (link: FlatLink): string => csvLine(COLUMNS.map(([, cell]) => cell(link)))
