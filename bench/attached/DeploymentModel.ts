// Tells of a running deployment what is new in the operator's records, and knows by it which quote belongs to an order or a link
// on screen. Asks nobody; who looks what up is elsewhere.
import { Context, Effect, Layer } from "effect"
import type { BenchEvent, EventPayload } from "../events/BenchEvent.ts"
import { EventBus } from "../events/EventBus.ts"
import { emptyModel, type Model, reduce } from "../model/Model.ts"
import type { Retold } from "./RecordEvents.ts"
import { SeenEvents } from "./SeenEvents.ts"

export class DeploymentModel extends Context.Service<
  DeploymentModel,
  {
    readonly emit: (happening: EventPayload) => void
    /** Each at its own time; what was told already is left out. */
    readonly replay: (events: Retold) => void
    /** What was told so far of the deployment, as the panes have it. */
    readonly known: () => Model
    /** Of an order or a link that is known. */
    readonly quoteOf: (orderOrLinkId: string) => string | undefined
    /** Another deployment, or one that has lost its books: nothing of it was told yet. */
    readonly startOver: (url: string) => void
  }
>()("backlinks/bench/DeploymentModel") {}

export const layer: Layer.Layer<DeploymentModel, never, EventBus> = Layer.effect(
  DeploymentModel,
  Effect.gen(function* () {
    const events = yield* EventBus
    let memory = new SeenEvents()
    let model = emptyModel

    const hear = (event: BenchEvent) => {
      model = reduce(model, event)
    }
    const stop = events.subscribe(hear)
    yield* Effect.addFinalizer(() => Effect.sync(stop))

    return {
      emit: events.emit,
      replay: (past) => {
        for (const event of past) if (memory.isNews(event)) events.replay(event)
      },
      known: () => model,
      quoteOf: (id) =>
        model.orders.rows.find(({ orderId, links }) => orderId === id || links.some(({ linkId }) => linkId === id))
          ?.quoteId,
      startOver: (url) => {
        memory = new SeenEvents()
        events.emit({ _tag: "ServiceOpened", url, attached: true, seed: null })
      }
    }
  })
)
