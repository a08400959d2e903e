// `order`, `quote`, `pay`, `payments` and `cancel`.
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { euros } from "#adapters/operator/records/Euros.ts"
import { MAX_PAGE } from "#adapters/operator/records/Fields.ts"
import { OrderDetails, Quote } from "#adapters/operator/records/OrderRecords.ts"
import { Link, linkCreditedCents } from "#core/domain/ordering/Link.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import { type AccountId, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { command, group, pages, tableOf } from "../CallCommand.ts"
import { columns, number, timeText } from "../Columns.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { connect } from "../Connect.ts"
import { print } from "../Output.ts"
import { fieldList, table } from "../Table.ts"
import { linkColumns } from "./LinkCommands.ts"
import { reasonFlag } from "./Parameters.ts"

const orderLinkColumns = [...linkColumns, ...columns(Link, { "NET EUR": "netCents", "PUBLISHED AT": "publishedUrl" })]

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
      ["placed", timeText(order.createdAtMs)],
      ["reference", order.reference]
    ]),
    ...reversals.map(reversalText),
    "",
    table(orderLinkColumns, links, width)
  ].join("\n")

const quoteText = ({ approvedAtMs, ...quote }: Quote): string =>
  fieldList([
    ["quote", quote.quoteId],
    ["status", quote.abandonedBy === null ? quote.status : `${quote.status} (by ${quote.abandonedBy})`],
    ["account", quote.accountId],
    ["mode", quote.mode],
    ["total", `${euros(quote.totalCents)} EUR of ${euros(quote.grossCents)} EUR`],
    ["from credit", `${euros(quote.creditCents)} EUR`],
    ["by card", `${euros(quote.cardCents)} EUR`],
    ["approved", approvedAtMs === null ? null : `${timeText(approvedAtMs)} by ${quote.approvedBy ?? "the sandbox"}`],
    ["declined", quote.declinedReason === "" ? "without a word" : quote.declinedReason],
    ["credited later", quote.creditedCents === 0 ? null : `${euros(quote.creditedCents)} EUR`],
    ["links", String(quote.lines.length)],
    ["reference", quote.reference],
    ["order", quote.orderId ?? "none"],
    ["made", timeText(quote.createdAtMs)],
    quote.paymentPendingAtMs === null
      ? ["open until", timeText(quote.expiresAtMs)]
      : ["open until", `its bank debit is decided, under way since ${timeText(quote.paymentPendingAtMs)}`]
  ])

const orderColumns = columns(OrderDetails, {
  ORDER: "order.orderId",
  STATUS: "status",
  KEY: "order.keyId",
  LINKS: number(({ links }) => links.length),
  "TOTAL EUR": "order.totalCents",
  PLACED: "order.createdAtMs"
})

export const orderCommand = group("order", "Show an order, and list those of an account", [
  command("show", "showOrder", {
    about: "Show an order and its links",
    says: (order, _, width) => orderText(order, width)
  }),
  pages("list", "listOrders", {
    about: "List the orders of an account by whichever key, connection or the Shop, newest first",
    columns: orderColumns
  })
])

const waitingColumns = columns(Quote, {
  QUOTE: "quoteId",
  ACCOUNT: "accountId",
  KEY: "keyId",
  "TOTAL EUR": "totalCents",
  MADE: "createdAtMs",
  "OPEN UNTIL": "expiresAtMs"
})

const waitingText = tableOf(waitingColumns, "No quote waits for approval.")

const statusText = ({ quoteId, status }: Quote): string => `Quote ${quoteId} is ${status} now.`

const withOrder = (text: string, { orderId }: Quote): string =>
  `${text}${orderId === null ? "" : `: order ${orderId}`}.`

export const quoteCommand = group(
  "quote",
  "Show, approve, decline or abandon a quote, and list those that wait for approval",
  [
    command("show", "showQuote", {
      about: "Show a quote and its order",
      says: ({ quote, order }, _, width) =>
        order === null ? quoteText(quote) : `${quoteText(quote)}\n\n${orderText(order, width)}`
    }),
    command("waiting", "listApprovals", {
      about: "List the quotes of all accounts that wait for approval, oldest first",
      fixed: { limit: MAX_PAGE },
      says: ({ quotes }, ...rest) => waitingText(quotes, ...rest)
    }),
    command("approve", "approveQuote", {
      about: "Approve a quote that waits for it, on behalf of its human",
      says: (quote) => withOrder(`Quote ${quote.quoteId} is ${quote.status} now`, quote)
    }),
    command("decline", "declineQuote", {
      about: "Decline a quote that waits for approval, on behalf of its human",
      says: statusText
    }),
    command("abandon", "abandonQuote", {
      about: "Abandon an unpaid quote on behalf of its human; held credit is released",
      says: statusText
    })
  ]
)

export const payCommand = command("pay", "payQuote", {
  about: "Simulate the payment of a quote; refused with a real payment processor",
  says: (quote) => withOrder(`Quote ${quote.quoteId} is ${quote.status}`, quote)
})

/** What of the credit of cancelled links paid at once what their account owed. The ledger has it beside the credit. */
const collectedOf = Effect.fnUntraced(function* (accountId: AccountId, links: ReadonlyArray<Link>) {
  const client = yield* connect
  const { entries } = yield* client.readLedger({ accountId, limit: MAX_PAGE })
  const credited = new Set<string>(
    entries.flatMap(({ kind, linkId, entryId }) =>
      kind === "recredit" && links.some((link) => link.linkId === linkId) ? [entryId] : []
    )
  )
  return entries.reduce(
    (sum, { kind, reference = "", amountCents }) =>
      kind === "adjustment" && credited.has(reference) ? sum + amountCents : sum,
    0
  )
})

/** What came back as credit, and what of it stayed. */
const creditText = (cents: Cents, collectedCents: Cents): string =>
  collectedCents === 0
    ? `${euros(cents)} EUR back as credit`
    : `${euros(cents)} EUR back, of which ${euros(collectedCents)} EUR paid what it owed and ${euros(cents - collectedCents)} EUR are credit`

/**
 * What links that were cancelled as refunded gave back as credit, and what the processor has told of refunds and disputes: the one does not
 * follow from the other.
 */
const refundedText = (cancelled: ReadonlyArray<Link>, { reversals = [] }: OrderDetails): string => {
  const cents = cancelled.reduce((sum, link) => sum + linkCreditedCents(link), 0)
  const byCard = cancelled.reduce((sum, { netCents }) => sum + netCents, 0) - cents
  const told = reversals.filter(({ state }) => state !== "won").reduce((sum, reversal) => sum + reversal.cents, 0)
  return [
    `${euros(cents)} EUR, which credit had paid, came back as credit; ${euros(byCard)} EUR of the card did not.`,
    `The processor has told of ${euros(told)} EUR of this order that went back by refund or dispute.`
  ].join(" ")
}

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
      const order = refunded ? yield* client.showOrder({ orderId: link.orderId }) : undefined
      const collected = yield* collectedOf(link.accountId, [link])
      return yield* print(link, ({ accountId, ...cancelled }) => {
        const cents = linkCreditedCents(cancelled)
        if (cents === 0) return `Link ${what} is cancelled without credit.`
        const credited = `Link ${what} is cancelled; ${accountId} has ${creditText(cents, collected)}.`
        return order === undefined ? credited : `${credited} ${refundedText([link], order)}`
      })
    }
    if (what.startsWith("ord_")) {
      const orderId = OrderId.make(what)
      const order = yield* client.cancelOrder({ orderId, ...how })
      const told = refunded ? yield* client.showOrder({ orderId }) : undefined
      const cancelled = order.links.filter(({ status }) => status === "cancelled")
      const collected = yield* collectedOf(order.order.accountId, cancelled)
      return yield* print(order, (shown, width) =>
        [
          orderText(shown, width),
          ...(collected === 0 ? [] : [`${euros(collected)} EUR of what came back paid what the account owed.`]),
          ...(told === undefined ? [] : [refundedText(cancelled, told)])
        ].join("\n\n")
      )
    }
    return yield* new CommandFailed({ sentence: `${what} is neither a link (lnk_…) nor an order (ord_…).` })
  })
).pipe(
  Command.withDescription(
    "Cancel a link or an order; its net price goes back to the wallet, of a refunded one what credit had paid"
  )
)
