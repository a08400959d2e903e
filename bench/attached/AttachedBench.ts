// The bench attached to a running deployment as its operator.
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
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

interface Deployment {
  /** The address without a path. */
  readonly url: string
  readonly token: Redacted.Redacted<string>
}

/** `reason` is for people. */
export class CannotJoin extends Data.TaggedError("CannotJoin")<{ readonly reason: string }> {}

/** For other codes the service's own suggestion is right. */
const ADVICE: Readonly<Record<string, string>> = {
  route_not_found: "Its operator plane is off: start the service with an OPERATOR_TOKEN.",
  invalid_operator_token: "Give the service's own token, in OPERATOR_TOKEN or in a file with --token-file.",
  service_unreachable: "Check the address, and that the service runs."
}

const JOIN_TIMEOUT_SECONDS = 10

const join = (url: string, operator: OperatorClient): Effect.Effect<unknown, CannotJoin> =>
  operator.showFulfilment({}).pipe(
    Effect.mapError(({ code, message, suggestion }: OperatorFault) => {
      const advice = ADVICE[code] ?? suggestion ?? ""
      return new CannotJoin({ reason: `Cannot join ${url}. ${message} (${code})\n${advice}`.trim() })
    }),
    Effect.timeoutOrElse({
      duration: Duration.seconds(JOIN_TIMEOUT_SECONDS),
      orElse: () => {
        const reason = `Cannot join ${url}. Nothing answers there within ${JOIN_TIMEOUT_SECONDS} s.`
        return Effect.fail(new CannotJoin({ reason }))
      }
    })
  )

const environment = ({ url, token }: Deployment) =>
  Layer.mergeAll(Actors.layerUnserialised, DeploymentModel.layer, Operator.layerAt(url, token)).pipe(
    Layer.provideMerge(EventBus.layerWallClock),
    // This client has no timeout between bytes: the stream of a quiet deployment is silent for hours.
    Layer.provide(NodeHttpClient.layerNodeHttp)
  )

/** Lives as long as the scope. */
export const openAttachedBench = Effect.fnUntraced(function* (deployment: Deployment) {
  const { url } = deployment
  const context = yield* Layer.build(environment(deployment))
  const session = Effect.gen(function* () {
    yield* join(url, yield* Operator.Operator)
    const background = yield* keepConnected(url)
    const execute = yield* makeAttachedCommands(`bench ${yield* Clock.currentTimeMillis}`)
    return yield* openSession({ execute, background, unavailable })
  })
  return yield* Effect.provide(session, context)
})
