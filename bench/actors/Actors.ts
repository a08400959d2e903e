// How everybody on the bench acts: one thing at a time, said aloud with what it was answered, and everything that follows from it
// has happened before they go on. Who they are and what they do is elsewhere.
import { Context, Effect, Layer, Predicate, Schema } from "effect"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { EventBus } from "../events/EventBus.ts"
import { IdleDetector } from "../time/IdleDetector.ts"

/** What the service said, for whoever asked. A refusal is an answer like any other. */
export type StepResult<A> =
  | { readonly ok: true; readonly body: A }
  | { readonly ok: false; readonly code: string; readonly message: string }

export const refused = (code: string, message: string): StepResult<never> => ({ ok: false, code, message })

const isErrorBody = Schema.is(ErrorBody)

/** What a call of the operator plane fails with. */
interface OperatorRefusal {
  readonly code: string
  readonly message: string
}

const isOperatorRefusal = (failure: unknown): failure is OperatorRefusal =>
  Predicate.isTagged(failure, "OperatorError") &&
  Predicate.hasProperty(failure, "code") &&
  Predicate.hasProperty(failure, "message")

/** A failed call as an answer. What is no error of the contract is a bug of the service, and is told as such. */
const refusalOf = (failure: unknown): StepResult<never> => {
  if (isErrorBody(failure)) return refused(failure.error.code, failure.error.message)
  if (isOperatorRefusal(failure)) return refused(failure.code, failure.message)
  return refused("not_understood", String(failure))
}

export const toResult = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<StepResult<A>, never, R> =>
  Effect.match(call, { onSuccess: (body) => ({ ok: true, body }), onFailure: refusalOf })

interface Deed<A, R> {
  readonly actorId: string
  /** A few words without a subject. */
  readonly action: string
  readonly call: Effect.Effect<StepResult<A>, never, R>
  /** What to say of a good answer, in a sentence. */
  readonly say: (body: A) => string
}

export class Actors extends Context.Service<
  Actors,
  {
    readonly run: <A, R>(deed: Deed<A, R>) => Effect.Effect<StepResult<A>, never, R>
    /** The same for what is not worth saying. */
    readonly serialised: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("backlinks/bench/Actors") {}

const makeActing = ({ emit }: EventBus["Service"], serialised: Actors["Service"]["serialised"]): Actors["Service"] => ({
  serialised,
  run: ({ actorId, action, call, say }) =>
    serialised(
      Effect.gen(function* () {
        emit({ _tag: "ActionBegan", actorId, action })
        const answer = yield* call
        const sentence = answer.ok ? say(answer.body) : `${answer.code}: ${answer.message}`
        emit({ _tag: "ActionEnded", actorId, action, ok: answer.ok, answer: sentence })
        return answer
      })
    )
})

export const layer: Layer.Layer<Actors, never, EventBus | IdleDetector> = Layer.effect(
  Actors,
  Effect.gen(function* () {
    const { acquireNetwork, releaseNetwork, idleForActors } = yield* IdleDetector
    return makeActing(yield* EventBus, (request) =>
      Effect.acquireUseRelease(
        acquireNetwork,
        () => request,
        () => releaseNetwork
      ).pipe(Effect.ensuring(idleForActors))
    )
  })
)

/** Out in the world nobody waits for anybody. */
export const layerUnserialised: Layer.Layer<Actors, never, EventBus> = Layer.effect(
  Actors,
  Effect.map(EventBus, (events) => makeActing(events, (request) => request))
)
