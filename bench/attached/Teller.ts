// Tells of a running deployment what is new in the operator's records, and knows by it which quote belongs to an order or a link
// on screen. Asks nobody; who looks what up is elsewhere.
import { Context, Effect, Layer } from "effect"
import type { BenchEvent, Happening } from "../BenchEvent.ts"
import { Feed } from "../Feed.ts"
import { emptyModel, type Model, step } from "../Model.ts"
import { Memory } from "./Memory.ts"
import type { Retold } from "./Retelling.ts"

export class Teller extends Context.Service<
  Teller,
  {
    readonly tell: (happening: Happening) => void
    /** Each at its own time; what was told already is left out. */
    readonly retell: (events: Retold) => void
    /** What was told so far of the deployment, as the panes have it. */
    readonly known: () => Model
    /** Of an order or a link that is known. */
    readonly quoteOf: (orderOrLinkId: string) => string | undefined
    /** Another deployment, or one that has lost its books: nothing of it was told yet. */
    readonly startOver: (url: string) => void
  }
>()("backlinks/bench/Teller") {}

export const layer: Layer.Layer<Teller, never, Feed> = Layer.effect(
  Teller,
  Effect.gen(function* () {
    const feed = yield* Feed
    let memory = new Memory()
    let model = emptyModel

    const hear = (event: BenchEvent) => {
      model = step(model, event)
    }
    const stop = feed.listen(hear)
    yield* Effect.addFinalizer(() => Effect.sync(stop))

    return {
      tell: feed.tell,
      retell: (events) => {
        for (const event of events) if (memory.isNews(event)) feed.retell(event)
      },
      known: () => model,
      quoteOf: (id) =>
        model.orders.rows.find(({ orderId, links }) => orderId === id || links.some(({ linkId }) => linkId === id))
          ?.quoteId,
      startOver: (url) => {
        memory = new Memory()
        feed.tell({ _tag: "ServiceOpened", url, attached: true, seed: null })
      }
    }
  })
)
