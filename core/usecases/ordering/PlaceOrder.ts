// Places an order: decides, and opens a payment session for the card part, if any. If that fails after the quote is written, the same
// request resumes it.
import { Context, Effect, Layer, References } from "effect"
import {
  type PlaceOrder as PlaceOrderInput,
  type PlaceOrderReply,
  placeOrder
} from "#core/decisions/ordering/PlaceOrder.ts"
import type { Preparation } from "#core/decisions/ordering/Preparations.ts"
import type { RepeatedReply } from "#core/decisions/ordering/RepeatedOrder.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { StoredResponse } from "#core/domain/ordering/Idempotency.ts"
import { awaitsPayment } from "#core/domain/ordering/Quote.ts"
import { replayedWithoutKey } from "#core/domain/ordering/Warning.ts"
import { linkTarget, type OrderRequest, targetHost } from "#core/domain/pricing/Cart.ts"
import { comparedItem } from "#core/domain/pricing/SameItems.ts"
import { welcomeDomainsOf } from "#core/domain/pricing/WelcomeUse.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { canonicalJson } from "#core/domain/shared/CanonicalJson.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { ProcessorUnavailable, type SchemaTooNew, type StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { NoteRefusals } from "../shared/NoteRefusals.ts"
import { Draining } from "./Draining.ts"
import { PaymentSessions } from "./PaymentSessions.ts"
import { type PlacementRead, RepeatedOrders } from "./RepeatedOrders.ts"
import { SweepQuotes } from "./SweepQuotes.ts"

export interface SubmittedOrder {
  readonly caller: Caller
  readonly request: OrderRequest
  /** The validated body with its defaults, as canonical JSON (RFC 8785). An idempotency key is bound to it. */
  readonly canonicalBody: string
  readonly idempotencyKey: string | null
  /**
   * The canonical body with its items as `SameItems` compares them: the same one within `UNKEYED_REPLAY_MS` is a replay, although it has
   * no idempotency key. Without it, a request without a key is always another order.
   */
  readonly comparedBody?: string
  /** The quote of the key that this request replays, regardless of its age. */
  readonly continues?: QuoteId
}

export interface OrderResponse extends StoredResponse {
  readonly replayed: boolean
  readonly findPlacement: PlacementRead
}

/** Captures no stack trace, which took 2 % of the CPU time of an order. */
const withSpan = Effect.withSpan("PlaceOrder.place", {}, { captureStackTrace: false })

/** Most orders have one link, which names at most one of each. */
export const distinct = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> => {
  const given = values.filter((value) => value !== undefined)
  return given.length < 2 ? given : [...new Set(given)]
}

const firstTarget = ({ items: [first] }: OrderRequest): string | null =>
  first === undefined ? null : targetHost(first)

/** What a placement reads of the caller, and of what the items name. */
export const namedReads = ({ keyId, accountId, mode }: Caller, items: OrderRequest["items"]) => ({
  _tag: "ForPlacement" as const,
  keyId,
  accountId,
  mode,
  siteIds: distinct(items.map(({ siteId }) => siteId)),
  articleIds: distinct(items.map(({ articleId }) => articleId)),
  projectIds: distinct(items.map(({ projectId }) => projectId)),
  opportunityIds: distinct(items.map(({ opportunityId }) => opportunityId))
})

const readsFor = ({ caller, request }: SubmittedOrder, idempotencyKey: string | null) => ({
  ...namedReads(caller, request.items),
  targets: request.items.map(linkTarget),
  welcomeDomains: welcomeDomainsOf(request).domains,
  promoCode: request.promoCode ?? null,
  idempotencyKey
})

/** An order that nothing binds: sent again, it is another order beside the quote that waits for the processor. */
const unrepeatable = <E>(error: E | ProcessorUnavailable): E | ProcessorUnavailable => {
  if (!(error instanceof ProcessorUnavailable)) return error
  const { retryAfterSeconds, quoteId } = error
  return new ProcessorUnavailable({
    retryAfterSeconds,
    ...(quoteId === undefined ? {} : { quoteId }),
    repeatable: false
  })
}

export class PlaceOrder extends Context.Service<
  PlaceOrder,
  {
    readonly place: (
      order: SubmittedOrder
    ) => Effect.Effect<OrderResponse, Refusal | ProcessorUnavailable | SchemaTooNew | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/PlaceOrder") {
  static readonly layer = Layer.effect(
    PlaceOrder,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const quotes = yield* Quotes
      const payment = yield* PaymentSessions
      const repeats = yield* RepeatedOrders
      const { refuseOrders } = yield* Draining
      const sweeper = yield* SweepQuotes
      const { noting } = yield* NoteRefusals
      const { settings, render, paymentPage, sha256 } = yield* ServiceContext
      const isTraced = yield* References.TracerEnabled

      const answerPlaced = ({ placement, response }: Extract<PlaceOrderReply, { readonly kind: "placed" }>) => {
        const { quote, dryRun } = placement
        const waitsForLink = !dryRun && quote.mode === "live" && awaitsPayment(quote)
        if (waitsForLink) {
          return Effect.map(payment.open(quote), (opened) => ({
            ...opened.response,
            findPlacement: Effect.succeed(opened.placement),
            replayed: false
          }))
        }
        return Effect.succeed({
          ...(response ?? render.response(placement)),
          findPlacement: Effect.succeed(placement),
          replayed: false
        })
      }

      const answerRepeated = ({ caller, idempotencyKey }: SubmittedOrder, reply: RepeatedReply) =>
        Effect.map(repeats.answer(caller, reply), ({ findPlacement, response }) => ({
          ...(idempotencyKey === null ? render.withWarning(response, replayedWithoutKey(reply.quoteId)) : response),
          findPlacement,
          replayed: true
        }))

      const answer = (
        order: SubmittedOrder,
        reply: PlaceOrderReply
      ): Effect.Effect<OrderResponse, Refusal | ProcessorUnavailable | StoreUnavailable> =>
        reply.kind === "placed" ? answerPlaced(reply) : answerRepeated(order, reply)

      /** Once for most orders; again for each preparation that the decision asks for. */
      const transact = Effect.fnUntraced(function* (reads: ReturnType<typeof readsFor>, input: PlaceOrderInput) {
        let undone: ReadonlyArray<Preparation> = ["look_alikes", "sweep"]
        for (let reading: Reads = reads; ; ) {
          const reply = yield* book.transact(reading, placeOrder(input, undone))
          if (reply.kind !== "unprepared") return reply
          undone = undone.filter((one) => one !== reply.needs)
          if (reply.needs === "sweep") yield* sweeper.sweepAccount(input.caller.accountId)
          else reading = { ...reads, lookAlikesOf: input.itemsDigest }
        }
      })

      const place = Effect.fnUntraced(function* (order: SubmittedOrder) {
        yield* refuseOrders
        const { caller, request, canonicalBody, comparedBody } = order
        const itemsDigest = sha256(canonicalJson(request.items.map(comparedItem)))
        const bound = order.idempotencyKey === null ? comparedBody : canonicalBody
        const fingerprint = bound === undefined ? "" : sha256(bound)
        const bindsItself = order.idempotencyKey === null && bound !== undefined && !request.dryRun
        const idempotencyKey = bindsItself ? yield* repeats.keyFor(order, fingerprint) : order.idempotencyKey
        const idempotency = idempotencyKey === null ? null : { key: idempotencyKey, fingerprint }
        // For a warning only, so it is read outside the transaction. An idempotency key already protects against a double order.
        const lookAlike =
          order.idempotencyKey === null ? yield* quotes.lookAlike({ keyId: caller.keyId, itemsDigest }) : null
        const reply = yield* transact(readsFor(order, idempotencyKey), {
          caller,
          request,
          itemsDigest,
          lookAlike,
          idempotency,
          settings,
          render,
          sandboxPage: paymentPage
        }).pipe(
          Effect.catchTag("IdempotencyKeyReused", (refusal) =>
            Effect.flatMap(repeats.withLabel(caller, refusal), Effect.fail)
          )
        )
        return yield* idempotency === null ? Effect.mapError(answer(order, reply), unrepeatable) : answer(order, reply)
      })

      /** A price that is only asked for is no attempt. */
      const noted = (order: SubmittedOrder) =>
        order.request.dryRun ? place(order) : noting(place(order), order.caller, () => firstTarget(order.request))

      // Also a span that nothing records costs a context.
      return PlaceOrder.of({ place: isTraced ? (order) => withSpan(noted(order)) : noted })
    })
  )
}
