// How everybody on the bench acts: one thing at a time, said aloud with what it was answered, and everything that follows from it
// has happened before they go on. Who they are and what they do is elsewhere.
import { Context, Effect, Layer, Predicate, Schema } from "effect"
import { ErrorBody } from "#adapters/contract/ErrorBody.ts"
import { Feed } from "../Feed.ts"
import { Stillness } from "../time/Stillness.ts"

/** What the service said, for whoever asked. A refusal is an answer like any other. */
export type Answer<A> =
  | { readonly ok: true; readonly body: A }
  | { readonly ok: false; readonly code: string; readonly message: string }

export const refused = (code: string, message: string): Answer<never> => ({ ok: false, code, message })

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
const refusalOf = (failure: unknown): Answer<never> => {
  if (isErrorBody(failure)) return refused(failure.error.code, failure.error.message)
  if (isOperatorRefusal(failure)) return refused(failure.code, failure.message)
  return refused("not_understood", String(failure))
}

export const answerOf = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<Answer<A>, never, R> =>
  Effect.match(call, { onSuccess: (body) => ({ ok: true, body }), onFailure: refusalOf })

interface Deed<A, R> {
  readonly actorId: string
  /** A few words without a subject. */
  readonly action: string
  readonly call: Effect.Effect<Answer<A>, never, R>
  /** What to say of a good answer, in a sentence. */
  readonly say: (body: A) => string
}

export class Acting extends Context.Service<
  Acting,
  {
    readonly act: <A, R>(deed: Deed<A, R>) => Effect.Effect<Answer<A>, never, R>
    /** The same for what is not worth saying. */
    readonly inTurn: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("backlinks/bench/Acting") {}

const makeActing = ({ tell }: Feed["Service"], inTurn: Acting["Service"]["inTurn"]): Acting["Service"] => ({
  inTurn,
  act: ({ actorId, action, call, say }) =>
    inTurn(
      Effect.gen(function* () {
        tell({ _tag: "ActionBegan", actorId, action })
        const answer = yield* call
        const sentence = answer.ok ? say(answer.body) : `${answer.code}: ${answer.message}`
        tell({ _tag: "ActionEnded", actorId, action, ok: answer.ok, answer: sentence })
        return answer
      })
    )
})

export const layer: Layer.Layer<Acting, never, Feed | Stillness> = Layer.effect(
  Acting,
  Effect.gen(function* () {
    const { takeRoad, leaveRoad, settled } = yield* Stillness
    return makeActing(yield* Feed, (request) =>
      Effect.acquireUseRelease(
        takeRoad,
        () => request,
        () => leaveRoad
      ).pipe(Effect.ensuring(settled))
    )
  })
)

/** Out in the world nobody waits for anybody. */
export const layerAtOnce: Layer.Layer<Acting, never, Feed> = Layer.effect(
  Acting,
  Effect.map(Feed, (feed) => makeActing(feed, (request) => request))
)
