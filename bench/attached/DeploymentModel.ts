// The model of an attached deployment, from the events published so far; events that were published before are left out.
import { Context, Effect, Layer } from "effect"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import type { BenchEvent, EventPayload } from "../events/BenchEvent.ts"
import { EventBus, subscribeScoped } from "../events/EventBus.ts"
import { emptyModel, type Model, reduce } from "../model/Model.ts"
import { SeenEvents } from "./SeenEvents.ts"

export class DeploymentModel extends Context.Service<
  DeploymentModel,
  {
    readonly emit: (event: EventPayload) => void
    /** Publishes those that are new, with their own times. */
    readonly replay: (events: ReadonlyArray<BenchEvent>) => void
    readonly model: () => Model
    /** The quote of an order or a link in the model. */
    readonly quoteOf: (orderOrLinkId: string) => QuoteId | undefined
    /** For a deployment that is new, or has lost its books. */
    readonly reset: (url: string) => void
  }
>()("backlinks/bench/attached/DeploymentModel") {}

export const layer: Layer.Layer<DeploymentModel, never, EventBus> = Layer.effect(
  DeploymentModel,
  Effect.gen(function* () {
    const events = yield* EventBus
    let seen = new SeenEvents()
    let model = emptyModel
    yield* subscribeScoped((event) => {
      model = reduce(model, event)
    })
    return {
      emit: events.emit,
      replay: (past) => {
        for (const event of past) if (seen.isNew(event)) events.replay(event)
      },
      model: () => model,
      quoteOf: (id) =>
        model.orders.rows.find(({ orderId, links }) => orderId === id || links.some(({ linkId }) => linkId === id))
          ?.quoteId,
      reset: (url) => {
        seen = new SeenEvents()
        events.emit({ _tag: "ServiceOpened", url, attached: true, seed: null })
      }
    }
  })
)
