// The tools for buying: balance, order, status of quotes and orders. `create_order` is the only tool that changes anything.
import { Result, Schema } from "effect"
import { strictDecoder } from "#adapters/contract/decoding/StrictDecoding.ts"
import type { InvalidIdempotencyKey } from "#adapters/contract/errors/AdapterFailure.ts"
import { OrderRequest, REPLAY_UNKEYED } from "#adapters/contract/ordering/OrderRequest.ts"
import { OrdersQuery } from "#adapters/contract/ordering/OrdersQuery.ts"
import { QuoteIdText, QuoteQuery } from "#adapters/contract/ordering/Quotes.ts"
import { IdempotencyKey } from "#adapters/contract/schema/IdempotencyKey.ts"
import { asName } from "#adapters/contract/schema/MemberMarks.ts"
import { omitNulls } from "#adapters/contract/schema/OptionalMembers.ts"
import { PAGE_SIZE } from "#adapters/contract/schema/Paging.ts"
import { text } from "#adapters/contract/schema/Text.ts"
import { PURCHASE_KEY_RULE } from "#adapters/contract/shared/ServiceDescription.ts"
import type { JsonResponse } from "#adapters/http/operations/JsonResponse.ts"
import { endpoints, type OperationRequest, successOf } from "#adapters/http/operations/OperationRequest.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import type { Arguments } from "./Arguments.ts"
import type { Question } from "./Elicitation.ts"
import { plainReader } from "./PlainArguments.ts"
import { idempotencyKeyIn, readTool, routeOf, type Tool } from "./Tool.ts"
import { inputSchema, outputSchema } from "./ToolSchema.ts"

export const checkBalance = readTool({
  name: "check_balance",
  title: "Check the prepaid credit",
  description: [
    "Reads how much prepaid credit the account has, what open quotes hold of it, and how many orders you may still place today.",
    "Use it before you propose an order: credit is used first, and only what it does not cover has to be paid by a human.",
    "`open_quotes` finds a purchase again that an earlier chat left unpaid or unapproved.",
    "Free. Tell the user the available amount in euros."
  ],
  operation: "getBalance"
})

const CreateOrder = Schema.Struct({
  ...OrderRequest.fields,
  idempotency_key: Schema.optionalKey(IdempotencyKey.annotate({ description: PURCHASE_KEY_RULE }))
})

const decodeOrder = strictDecoder(OrderRequest, "body")
const omitOrderNulls = omitNulls(OrderRequest)

/** The API checks the body; only the argument that becomes a header is checked here. */
const orderRequest = (args: Arguments, state?: string): Result.Result<OperationRequest, InvalidIdempotencyKey> => {
  const { idempotency_key: _, ...body } = args
  const order = { operation: "createOrder", query: {}, payload: body } as const
  return Result.map(idempotencyKeyIn(args), (idempotencyKey) =>
    idempotencyKey === undefined
      ? { ...order, replayUnkeyed: isQuoteId(state) ? state : REPLAY_UNKEYED }
      : { ...order, idempotencyKey }
  )
}

const isQuoteId = Schema.is(QuoteIdText)

const isWaiting = Schema.is(
  Schema.Struct({
    quote_id: QuoteIdText,
    status: Schema.Literal("awaiting_approval"),
    approval_url: Schema.String,
    summary: Schema.String
  })
)

/** The page on which the user approves the order. The repeated call continues with its quote. */
const approvalOf = ({ status, body }: JsonResponse): Question | undefined =>
  status < 400 && isWaiting(body)
    ? {
        message: `${body.summary} Approve or decline it, signed in as an owner of the account.`,
        url: body.approval_url,
        state: body.quote_id
      }
    : undefined

export const createOrder: Tool = {
  name: "create_order",
  title: "Order backlinks",
  description: [
    "Orders 1 to 20 links for the user's account. This spends money: only call it for a purchase the user has agreed to.",
    "First call it with `dry_run: true`, which prices everything and writes nothing. Show `summary` to the user and ask; then call it without, with `max_total_eur`, the total the user agreed to.",
    "Always send `idempotency_key`: the same key and arguments answer the same and never buy twice in the account; a fresh one buys again. Without, the same arguments within 10 minutes are a replay too (`replayed_without_key`).",
    "If credit covers the total, the order exists at once (`order_id`). Otherwise nothing is charged: give `payment_url`, or `approval_url` where there is one, to the user, who alone may open it.",
    "Then do what `next_action` says, and pass on `tell_user` and `warnings`. If the answer was lost, call again with the same key, which answers as things stood then: read get_quote_status before you show its `payment_url`.",
    "Refusals list the order's fields; `idempotency_key` is always allowed beside them."
  ].join(" "),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  inputSchema: inputSchema(CreateOrder),
  output: successOf(endpoints.createOrder),
  outputSchema: outputSchema(successOf(endpoints.createOrder)),
  route: routeOf("createOrder"),
  plain: plainReader(CreateOrder, ({ idempotency_key: _, ...body }) => decodeOrder(omitOrderNulls(body))),
  request: orderRequest,
  question: approvalOf
}

const WhichQuote = Schema.Struct({
  quote_id: Schema.optionalKey(
    text(1)
      .annotate({ description: "`quote_id` of a quote.", ...asName })
      .pipe(idBrands.QuoteId)
  ),
  idempotency_key: Schema.optionalKey(
    QuoteQuery.fields.idempotency_key.annotate({
      description:
        "Instead of `quote_id`: the `idempotency_key` that the order was sent with, to learn whether it went through."
    })
  )
}).check(
  Schema.makeFilter(
    ({ quote_id, idempotency_key }) =>
      (quote_id === undefined) === (idempotency_key === undefined)
        ? { path: ["quote_id"], issue: "Send either quote_id or idempotency_key." }
        : undefined,
    { toJsonSchema: () => [{}, true] }
  )
)

export const getQuoteStatus = readTool({
  name: "get_quote_status",
  title: "See whether a quote was approved and paid",
  description: [
    "Reads whether a human has approved and paid what an order left to them, and under which `order_id` the order then exists.",
    "Use it while you wait for an approval or a payment (every 30 seconds or slower, not in a tight loop), before you show a payment link again, and, with `idempotency_key`, after a lost answer: `quote_not_found` then means that no key or connection of the account has ordered with it, in this mode.",
    "Free. Tell the user once `paid` is true; while it is `awaiting_approval`, only the user can approve it; if `status` is `abandoned`, nothing was bought and what was held of the credit is back (`declined_reason`: the user said no)."
  ],
  input: WhichQuote,
  operation: "getQuote",
  idArgument: "quote_id",
  withoutId: "findQuote"
})

export const listOrders = readTool({
  name: "list_orders",
  title: "List orders",
  description: [
    "Lists the orders that you placed, with this key or connection, newest first, with status, total and how many links are online.",
    "Use it to find an `order_id` the user speaks of. Free.",
    '`scope: "account"` lists all of the account\'s: use it where `other_credentials` counts some, before you say that there is no such order.',
    "Only orders that are paid for are listed. If there are none, a quote may be waiting for payment: read check_balance."
  ],
  input: OrdersQuery,
  operation: "listOrders",
  pageSize: PAGE_SIZE
})

export const getOrderStatus = readTool({
  name: "get_order_status",
  title: "Follow an order's links",
  description: [
    "Reads one order with every link: its status and history, what it cost, and `published_url` once it is online.",
    "Use it when the user asks how an order is going. Publication takes days, so once a day is often enough. Free.",
    "Tell the user `summary`, and where links are online; a cancelled link's price came back as prepaid credit (`credited_cents`).",
    "To order the same again, give `items_to_reorder` to create_order and tell the user what `reorder_notes` changes."
  ],
  input: Schema.Struct({
    order_id: text(1).annotate({ description: "`order_id` of an order." }).pipe(idBrands.OrderId)
  }),
  operation: "getOrder",
  idArgument: "order_id"
})
