// Prices a sheet of links, and buys the chosen rows from credit, order by order. Before each order the rows of the one before are marked, and an
// order that was made but not marked is found by its idempotency key: interrupted anywhere and repeated by anyone, no row is bought twice.
import { Context, Effect, Layer } from "effect"
import {
  coverOf,
  isAgreed,
  type MadeOrder,
  type PricedSheet,
  priceSheet,
  type SheetOrder,
  type SheetToPrice
} from "#core/decisions/pricing/PriceSheet.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import {
  isOpenRow,
  nextOrderKey,
  type OrderedBefore,
  rowsBought,
  type SheetWithRows,
  sheetOrderKey,
  stillChosen
} from "#core/domain/pricing/Sheet.ts"
import { SheetChanged, type SheetNotFound } from "#core/domain/pricing/SheetRefusal.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { canonicalJson } from "#core/domain/shared/CanonicalJson.ts"
import type { OrderId, SheetId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { Sheets } from "#core/ports/pricing/Sheets.ts"
import type { ProcessorUnavailable, SchemaTooNew, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { KeepSheets } from "./KeepSheets.ts"
import { distinct, namedReads, PlaceOrder } from "./PlaceOrder.ts"

/** A sheet with every order marked that was made of it. A row is not chosen that was ordered elsewhere since it was ticked. */
interface SettledSheet extends SheetWithRows {
  readonly ordered: ReadonlyArray<OrderedBefore>
  /** The numbers of those rows. */
  readonly leftOut: ReadonlySet<number>
}

export interface SheetView extends SettledSheet {
  readonly priced: PricedSheet
  /** How many of the orders credit pays now, in their order; what they cost, and what is missing for all. */
  readonly covered: ReturnType<typeof coverOf>
}

export interface SheetToBuy {
  readonly sheetId: SheetId
  /** What the page showed, and the person agreed to: this choice, these orders of the sheet, and their price at most. */
  readonly revision: number
  readonly firstOrder: number
  readonly lastOrder: number
  /** The numbers of their rows, as `rangesOf` writes them. */
  readonly rows: string
  readonly totalCents: Cents
  readonly domainOf: (host: string) => string
}

export interface SheetPurchase {
  readonly orderIds: ReadonlyArray<OrderId>
  readonly rowCount: number
  readonly totalCents: Cents
  /** Why it stopped before the last order; `null` if it did not. */
  readonly stopped: Refusal | null
}

/** After these, what was bought is unknown to the caller, and known to the next one. */
type Fault = ProcessorUnavailable | SchemaTooNew | StoreUnavailable

const FAULTS: ReadonlySet<string> = new Set<Fault["_tag"]>(["ProcessorUnavailable", "SchemaTooNew", "StoreUnavailable"])

const isFault = (failure: Fault | Refusal): failure is Fault => FAULTS.has(failure._tag)

/** What became of one order. */
type Made =
  | { readonly _tag: "Made"; readonly orderId: OrderId }
  | { readonly _tag: "MadeElsewhere" }
  | { readonly _tag: "Refused"; readonly refusal: Refusal }

const ELSEWHERE: Made = { _tag: "MadeElsewhere" }

/** Each turn marks an order, which another window may have made, or ends the purchase. */
const MAX_TURNS = 200

/** What an order of all these rows would read, but for warnings. */
const readsFor = (caller: Caller, { rows, promoCode, domainOf }: SheetToPrice) => {
  const items = rows.map(({ item }) => item)
  return {
    ...namedReads(caller, items),
    targets: [],
    welcomeDomains: distinct(items.map((item) => domainOf(targetHost(item)))),
    promoCode,
    idempotencyKey: null
  }
}

/** Orders of the sheet from one number to another, which are marked. */
const ordersMade = (quotes: Quotes["Service"]) => (caller: Caller, sheetId: SheetId, from: number, to: number) =>
  Effect.forEach(
    Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index),
    (nth) =>
      Effect.map(
        quotes.byIdempotencyKey(caller, sheetOrderKey(sheetId, nth)),
        (quote): ReadonlyArray<MadeOrder> =>
          quote === null || quote.orderId === null ? [] : [{ orderId: quote.orderId, totalCents: quote.totalCents }]
      )
  ).pipe(Effect.map((found) => found.flat()))

/** The same order, whichever window makes it, has the same text. */
const placing = (orders: PlaceOrder["Service"]) =>
  Effect.fnUntraced(function* (caller: Caller, { sheet }: SheetWithRows, order: SheetOrder) {
    const request = { ...order.request, maxTotalCents: order.price.totalCents }
    const { items, promoCode = null, maxTotalCents } = request
    const canonicalBody = canonicalJson({ items, promoCode, maxTotalCents })
    return yield* orders.place({ caller, request, canonicalBody, idempotencyKey: nextOrderKey(sheet) }).pipe(
      Effect.flatMap(({ findPlacement }) => findPlacement),
      Effect.map(({ quote: { orderId } }): Made => (orderId === null ? ELSEWHERE : { _tag: "Made", orderId })),
      Effect.catch((failure) => {
        if (isFault(failure)) return Effect.fail(failure)
        return Effect.succeed<Made>(
          failure._tag === "IdempotencyKeyReused" ? ELSEWHERE : { _tag: "Refused", refusal: failure }
        )
      })
    )
  })

export class BuySheet extends Context.Service<
  BuySheet,
  {
    /** Marks what was bought before it prices the rest. */
    readonly view: (
      caller: Caller,
      sheetId: SheetId,
      domainOf: SheetToBuy["domainOf"]
    ) => Effect.Effect<SheetView, Refusal | StoreUnavailable>
    /** Refused, and nothing bought, if the rows or their price are not those that the person saw. */
    readonly buy: (caller: Caller, wish: SheetToBuy) => Effect.Effect<SheetPurchase, Fault | Refusal>
  }
>()("backlinks/usecases/ordering/BuySheet") {
  static readonly layer = Layer.effect(
    BuySheet,
    Effect.gen(function* () {
      const sheets = yield* Sheets
      const keep = yield* KeepSheets
      const quotes = yield* Quotes
      const book = yield* OrderBook
      const place = placing(yield* PlaceOrder)
      const madeOrders = ordersMade(quotes)
      const { settings } = yield* ServiceContext

      /** The orders are read before the key, so that none among them is an order of the sheet that is not marked. */
      const settled = Effect.fnUntraced(function* (
        caller: Caller,
        sheetId: SheetId
      ): Effect.fn.Return<SettledSheet, SheetNotFound | StoreUnavailable> {
        for (;;) {
          const { sheet, rows } = yield* keep.find(caller.accountId, sheetId)
          const ordered = yield* keep.orderedLately(caller.accountId, rows)
          const quote = yield* quotes.byIdempotencyKey(caller, nextOrderKey(sheet))
          if (quote === null || quote.orderId === null) {
            const chosen = stillChosen(rows, ordered)
            const leftOut = rows.filter((row, index) => row.chosen && chosen[index]?.chosen === false)
            return { sheet, rows: chosen, ordered, leftOut: new Set(leftOut.map(({ number }) => number)) }
          }
          const { orderId } = quote
          const others = ordered.filter((one) => one.orderId !== orderId)
          const bought = rowsBought(
            stillChosen(rows, others),
            quote.lines.map(({ item }) => item)
          )
          yield* sheets.mark({ sheetId, nth: sheet.orders + 1, orderId, rows: bought })
        }
      })

      const price = ({ sheet, rows }: SheetWithRows, caller: Caller, domainOf: SheetToBuy["domainOf"]) => {
        const open = rows.filter(isOpenRow)
        const toPrice = {
          caller,
          rows: open,
          promoCode: sheet.orders === 0 ? sheet.promoCode : null,
          domainOf,
          settings
        }
        return book.transact(readsFor(caller, toPrice), priceSheet(toPrice))
      }

      const buy = Effect.fnUntraced(function* (caller: Caller, wish: SheetToBuy) {
        const { sheetId, domainOf } = wish
        const orderIds: Array<OrderId> = []
        let [rowCount, totalCents] = [0, 0]
        const ended = (stopped: Refusal | null): SheetPurchase => ({ orderIds, rowCount, totalCents, stopped })
        const made: Array<MadeOrder> = []
        let nextUnknown = wish.firstOrder
        for (let turn = 0; turn < MAX_TURNS; turn++) {
          const stored = yield* settled(caller, sheetId)
          const { sheet } = stored
          const left = wish.lastOrder - sheet.orders
          if (left <= 0) return ended(null)
          if (sheet.revision !== wish.revision) return ended(new SheetChanged({ sheetId }))
          made.push(...(yield* madeOrders(caller, sheetId, nextUnknown, sheet.orders)))
          nextUnknown = sheet.orders + 1
          const priced = yield* price(stored, caller, domainOf)
          if (priced.promoRefusal !== null) return ended(priced.promoRefusal)
          const toMake = priced.orders.slice(0, left)
          const [order] = toMake
          if (order === undefined || !isAgreed(wish, stored.rows, made, toMake))
            return ended(new SheetChanged({ sheetId }))
          const result = yield* place(caller, stored, order)
          if (result._tag === "Refused") return ended(result.refusal)
          // Another window made this order of other rows: the next turn marks them.
          if (result._tag === "MadeElsewhere") continue
          const { orderId } = result
          yield* sheets.mark({ sheetId, nth: sheet.orders + 1, orderId, rows: order.rows.map(({ number }) => number) })
          orderIds.push(orderId)
          rowCount += order.rows.length
          totalCents += order.price.totalCents
        }
        return ended(new SheetChanged({ sheetId }))
      })

      return BuySheet.of({
        view: Effect.fn("BuySheet.view")(function* (caller, sheetId, domainOf) {
          const stored = yield* settled(caller, sheetId)
          const priced = yield* price(stored, caller, domainOf)
          return { ...stored, priced, covered: coverOf(priced) }
        }),
        buy: Effect.fn("BuySheet.buy")(buy)
      })
    })
  )
}
