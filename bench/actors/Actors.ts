// How actors act: one request at a time, published with its result, and all its consequences have happened before the next.
import { Context, Data, Effect, Layer, Predicate, Schema } from "effect"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { EventBus } from "../events/EventBus.ts"
import { IdleDetector } from "../time/IdleDetector.ts"

/** A response of the service; a refusal is one, too. */
export type StepResult<A> =
  | { readonly ok: true; readonly body: A }
  | { readonly ok: false; readonly code: string; readonly message: string }

export const refused = (code: string, message: string): StepResult<never> => ({ ok: false, code, message })

/** A refusal that is no error body of REST and no `OperatorError`. */
export class Refused extends Data.TaggedError("Refused")<{ readonly code: string; readonly message: string }> {}

const isErrorBody = Schema.is(ErrorBody)

const isRefusal = (failure: unknown): failure is { readonly code: string; readonly message: string } =>
  (Predicate.isTagged(failure, "OperatorError") || Predicate.isTagged(failure, "Refused")) &&
  Predicate.hasProperty(failure, "code") &&
  Predicate.hasProperty(failure, "message")

/** A failure outside the contract is a bug of the service: its code is `not_understood`. */
const refusalOf = (failure: unknown): StepResult<never> => {
  if (isErrorBody(failure)) return refused(failure.error.code, failure.error.message)
  if (isRefusal(failure)) return refused(failure.code, failure.message)
  return refused("not_understood", String(failure))
}

export const toResult = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<StepResult<A>, never, R> =>
  Effect.match(call, { onSuccess: (body) => ({ ok: true, body }), onFailure: refusalOf })

/** `action` is a few words without a subject; `describe` puts a successful response into a sentence. */
type RunAction = <A, E, R>(
  action: string,
  call: Effect.Effect<A, E, R>,
  describe: (body: A) => string
) => Effect.Effect<StepResult<A>, never, R>

export class Actors extends Context.Service<
  Actors,
  {
    readonly runAs: (actorId: string) => RunAction
    /** Waits its turn like an action, but publishes nothing. */
    readonly serialised: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("backlinks/bench/actors/Actors") {}

const makeActors = ({ emit }: EventBus["Service"], serialised: Actors["Service"]["serialised"]): Actors["Service"] => ({
  serialised,
  runAs: (actorId) => (action, call, describe) =>
    serialised(
      Effect.gen(function* () {
        emit({ _tag: "ActionBegan", actorId, action })
        const result = yield* toResult(call)
        const answer = result.ok ? describe(result.body) : `${result.code}: ${result.message}`
        emit({ _tag: "ActionEnded", actorId, action, ok: result.ok, answer })
        return result
      })
    )
})

export const layer: Layer.Layer<Actors, never, EventBus | IdleDetector> = Layer.effect(
  Actors,
  Effect.gen(function* () {
    const { acquireNetwork, releaseNetwork, idleForActors } = yield* IdleDetector
    return makeActors(yield* EventBus, (request) =>
      Effect.acquireUseRelease(
        acquireNetwork,
        () => request,
        () => releaseNetwork
      ).pipe(Effect.ensuring(idleForActors))
    )
  })
)

/** For an attached deployment, where requests run at the same time. */
export const layerUnserialised: Layer.Layer<Actors, never, EventBus> = Layer.effect(
  Actors,
  Effect.map(EventBus, (events) => makeActors(events, (request) => request))
)
