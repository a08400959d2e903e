// The bench that has joined a running deployment as its operator: the same door for events and commands, with the deployment
// behind it. Joining it can fail, in a sentence; once joined, it stays until it is told to leave.
import { NodeHttpClient } from "@effect/platform-node"
import { Clock, Data, Duration, Effect, Layer, type Redacted } from "effect"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import * as Actors from "../actors/Actors.ts"
import { openSession } from "../events/BenchSession.ts"
import * as EventBus from "../events/EventBus.ts"
import * as Operator from "../service/Operator.ts"
import { makeAttachedCommands, unavailable } from "./AttachedCommands.ts"
import * as DeploymentModel from "./DeploymentModel.ts"
import { keepConnected } from "./Reconnect.ts"
import type { OperatorFault } from "./RecordReader.ts"

export interface Deployment {
  /** Without a path. */
  readonly url: string
  readonly token: Redacted.Redacted<string>
}

/** It could not be joined; the reason is for people. */
export class CannotJoin extends Data.TaggedError("CannotJoin")<{ readonly reason: string }> {}

/** What to do about it at this command line; for the rest the service's own suggestion is good. */
const ADVICE: Readonly<Record<string, string>> = {
  route_not_found: "Its operator plane is off: start the service with an OPERATOR_TOKEN.",
  invalid_operator_token: "Give the service's own token, in OPERATOR_TOKEN or in a file with --token-file.",
  service_unreachable: "Check the address, and that the service runs."
}

const ANSWER_WITHIN_SECONDS = 10

const cannotJoin = (url: string, { code, message, suggestion }: OperatorFault): CannotJoin =>
  new CannotJoin({ reason: `Cannot join ${url}. ${message} (${code})\n${ADVICE[code] ?? suggestion ?? ""}`.trim() })

const silent = (url: string): CannotJoin =>
  new CannotJoin({ reason: `Cannot join ${url}. Nothing answers there within ${ANSWER_WITHIN_SECONDS} s.` })

const join = (url: string, operator: OperatorClient): Effect.Effect<unknown, CannotJoin> =>
  operator.showFulfilment({}).pipe(
    Effect.mapError((fault) => cannotJoin(url, fault)),
    Effect.timeoutOrElse({
      duration: Duration.seconds(ANSWER_WITHIN_SECONDS),
      orElse: () => Effect.fail(silent(url))
    })
  )

const surroundings = ({ url, token }: Deployment) =>
  Layer.mergeAll(Actors.layerUnserialised, DeploymentModel.layer, Operator.layerAt(url, token)).pipe(
    Layer.provideMerge(EventBus.layerWallClock),
    // A stream that says nothing for hours is in order, so nothing here waits for bytes with a clock in hand.
    Layer.provide(NodeHttpClient.layerNodeHttp)
  )

const open = Effect.fnUntraced(function* (url: string) {
  const operator = yield* Operator.Operator
  yield* join(url, operator)
  const following = yield* keepConnected(url)
  const execute = yield* makeAttachedCommands(`bench ${yield* Clock.currentTimeMillis}`)
  return yield* openSession({ execute, runScenario: following, unavailable })
})

/** For as long as the scope is open. */
export const openAttachedBench = Effect.fnUntraced(function* (deployment: Deployment) {
  const context = yield* Layer.build(surroundings(deployment))
  return yield* Effect.provide(open(deployment.url), context)
})
