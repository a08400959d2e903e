// `order`, `quote`, `pay` and `cancel`.
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { MAX_PAGE } from "#adapters/operator/records/Fields.ts"
import type { OrderDetails, Quote } from "#adapters/operator/records/OrderRecords.ts"
import { type Link, linkCreditedCents } from "#core/domain/ordering/Link.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { amountColumn, idColumn, numberColumn, timeText } from "../Columns.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { connect, withClient } from "../Connect.ts"
import { euros } from "../Euros.ts"
import { print, printResult } from "../Output.ts"
import { printPages } from "../Pages.ts"
import { fieldList, table } from "../Table.ts"
import { linkColumns } from "./LinkCommands.ts"
import { accountArgument, limitFlag, orderArgument, quoteArgument, reasonFlag } from "./Parameters.ts"

const orderLinkColumns = [
  ...linkColumns,
  amountColumn<Link>("NET EUR", ({ netCents }) => netCents),
  idColumn<Link>("PUBLISHED AT", ({ publishedUrl }) => publishedUrl ?? "")
]

type Reversal = NonNullable<OrderDetails["reversals"]>[number]

const reversalText = ({ reversalId, kind, state, cents, takenBackCents, atMs }: Reversal): string => {
  const taken = takenBackCents === 0 ? "" : `; ${euros(takenBackCents)} EUR of credit were taken back`
  const what =
    kind === "refund"
      ? "Refunded"
      : { open: "Disputed (blocks unpublished links)", final: "Dispute lost", won: "Dispute won" }[state]
  return `${what}: ${euros(cents)} EUR, ${reversalId}, told ${timeText(atMs)}${taken}.`
}

const orderText = ({ order, status, links, reversals = [] }: OrderDetails, width: number | undefined): string =>
  [
    fieldList([
      ["order", order.orderId],
      ["status", status],
      ["account", order.accountId],
      ["quote", order.quoteId],
      ["mode", order.mode],
      ["total", `${euros(order.totalCents)} EUR`],
      ["placed", timeText(order.createdAtMs)]
    ]),
    ...reversals.map(reversalText),
    "",
    table(orderLinkColumns, links, width)
  ].join("\n")

const quoteText = (quote: Quote): string =>
  fieldList([
    ["quote", quote.quoteId],
    ["status", quote.abandonedBy === null ? quote.status : `${quote.status} (by ${quote.abandonedBy})`],
    ["account", quote.accountId],
    ["mode", quote.mode],
    ["total", `${euros(quote.totalCents)} EUR of ${euros(quote.grossCents)} EUR`],
    ["from credit", `${euros(quote.creditCents)} EUR`],
    ["by card", `${euros(quote.cardCents)} EUR`],
    ...(quote.approvedAtMs === null
      ? []
      : [["approved", `${timeText(quote.approvedAtMs)} by ${quote.approvedBy ?? "the sandbox"}`] as const]),
    ...(quote.declinedReason === null ? [] : [["declined", quote.declinedReason || "without a word"] as const]),
    ...(quote.creditedCents === 0 ? [] : [["credited later", `${euros(quote.creditedCents)} EUR`] as const]),
    ["links", String(quote.lines.length)],
    ["order", quote.orderId ?? "none"],
    ["made", timeText(quote.createdAtMs)],
    quote.paymentPendingAtMs === null
      ? ["open until", timeText(quote.expiresAtMs)]
      : ["open until", `its bank debit is decided, under way since ${timeText(quote.paymentPendingAtMs)}`]
  ])

const showOrder = Command.make(
  "show",
  { order: orderArgument },
  withClient((client, { order: orderId }) => printResult(client.showOrder({ orderId }), orderText))
).pipe(Command.withDescription("Show an order and its links"))

const orderColumns = [
  idColumn<OrderDetails>("ORDER", ({ order }) => order.orderId),
  idColumn<OrderDetails>("STATUS", ({ status }) => status),
  idColumn<OrderDetails>("KEY", ({ order }) => order.keyId),
  numberColumn<OrderDetails>("LINKS", ({ links }) => links.length),
  amountColumn<OrderDetails>("TOTAL EUR", ({ order }) => order.totalCents),
  idColumn<OrderDetails>("PLACED", ({ order }) => timeText(order.createdAtMs))
]

const listOrders = Command.make(
  "list",
  { account: accountArgument, limit: limitFlag },
  withClient((client, { account: accountId, limit }) =>
    printPages(orderColumns, limit, (size, beforeId: OrderId | null) =>
      client
        .listOrders({ accountId, limit: size, ...(beforeId === null ? {} : { beforeId }) })
        .pipe(Effect.map(({ orders, nextBeforeId }) => ({ rows: orders, next: nextBeforeId })))
    )
  )
).pipe(Command.withDescription("List the orders of an account by whichever key, connection or the Shop, newest first"))

export const orderCommand = Command.make("order").pipe(
  Command.withDescription("Show an order, and list those of an account"),
  Command.withSubcommands([showOrder, listOrders])
)

const showQuote = Command.make(
  "show",
  { quote: quoteArgument },
  withClient((client, { quote: quoteId }) =>
    printResult(client.showQuote({ quoteId }), ({ quote, order }, width) =>
      order === null ? quoteText(quote) : `${quoteText(quote)}\n\n${orderText(order, width)}`
    )
  )
).pipe(Command.withDescription("Show a quote and its order"))

const abandonQuote = Command.make(
  "abandon",
  { quote: quoteArgument },
  withClient((client, { quote: quoteId }) =>
    printResult(client.abandonQuote({ quoteId }), ({ status }) => `Quote ${quoteId} is ${status} now.`)
  )
).pipe(Command.withDescription("Abandon an unpaid quote on behalf of its human; held credit is released"))

const waitingColumns = [
  idColumn<Quote>("QUOTE", ({ quoteId }) => quoteId),
  idColumn<Quote>("ACCOUNT", ({ accountId }) => accountId),
  idColumn<Quote>("KEY", ({ keyId }) => keyId),
  amountColumn<Quote>("TOTAL EUR", ({ totalCents }) => totalCents),
  idColumn<Quote>("MADE", ({ createdAtMs }) => timeText(createdAtMs)),
  idColumn<Quote>("OPEN UNTIL", ({ expiresAtMs }) => timeText(expiresAtMs))
]

const waitingQuotes = Command.make(
  "waiting",
  {},
  withClient((client) =>
    printResult(client.listApprovals({ limit: MAX_PAGE }), ({ quotes }, width) =>
      quotes.length === 0 ? "No quote waits for approval." : table(waitingColumns, quotes, width)
    )
  )
).pipe(Command.withDescription("List the quotes of all accounts that wait for approval, oldest first"))

const approveQuote = Command.make(
  "approve",
  { quote: quoteArgument },
  withClient((client, { quote: quoteId }) =>
    printResult(client.approveQuote({ quoteId }), ({ status, orderId }) =>
      orderId === null ? `Quote ${quoteId} is ${status} now.` : `Quote ${quoteId} is ${status} now: order ${orderId}.`
    )
  )
).pipe(Command.withDescription("Approve a quote that waits for it, on behalf of its human"))

const declineQuote = Command.make(
  "decline",
  {
    quote: quoteArgument,
    reason: Flag.String("reason").pipe(
      Flag.withDescription("A word to the agent"),
      Flag.withMetavar("TEXT"),
      Flag.withDefault("")
    )
  },
  withClient((client, { quote: quoteId, reason }) =>
    printResult(client.declineQuote({ quoteId, reason }), ({ status }) => `Quote ${quoteId} is ${status} now.`)
  )
).pipe(Command.withDescription("Decline a quote that waits for approval, on behalf of its human"))

export const quoteCommand = Command.make("quote").pipe(
  Command.withDescription("Show, approve, decline or abandon a quote, and list those that wait for approval"),
  Command.withSubcommands([showQuote, waitingQuotes, approveQuote, declineQuote, abandonQuote])
)

export const payCommand = Command.make(
  "pay",
  { quote: quoteArgument },
  withClient((client, { quote: quoteId }) =>
    printResult(client.payQuote({ quoteId }), ({ status, orderId }) =>
      orderId === null ? `Quote ${quoteId} is ${status}.` : `Quote ${quoteId} is ${status}: order ${orderId}.`
    )
  )
).pipe(Command.withDescription("Simulate the payment of a quote; refused with a real payment processor"))

export const cancelCommand = Command.make(
  "cancel",
  {
    what: Argument.String("link-or-order").pipe(
      Argument.withDescription("lnk_… for one link, ord_… for all links of an order that are not online yet")
    ),
    reason: reasonFlag,
    refunded: Flag.Boolean("refunded").pipe(
      Flag.withDescription("The card part went back by refund or dispute: only what credit had paid is credited"),
      Flag.withDefault(false)
    ),
    published: Flag.Boolean("published").pipe(
      Flag.withDescription("Also what is online: published by mistake, or taken down"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ what, reason, refunded, published }) {
    const client = yield* connect
    const how = { reason, refunded, published }
    if (what.startsWith("lnk_")) {
      const link = yield* client.cancelLink({ linkId: LinkId.make(what), ...how })
      return yield* print(link, ({ accountId, ...cancelled }) => {
        const cents = linkCreditedCents(cancelled)
        return cents === 0
          ? `Link ${what} is cancelled without credit.`
          : `Link ${what} is cancelled; ${accountId} has ${euros(cents)} EUR back as credit.`
      })
    }
    if (what.startsWith("ord_")) {
      return yield* print(yield* client.cancelOrder({ orderId: OrderId.make(what), ...how }), orderText)
    }
    return yield* new CommandFailed({ sentence: `${what} is neither a link (lnk_…) nor an order (ord_…).` })
  })
).pipe(
  Command.withDescription(
    "Cancel a link or an order; its net price goes back to the wallet, of a refunded one what credit had paid"
  )
)
