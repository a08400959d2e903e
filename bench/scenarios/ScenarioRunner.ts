// Plays a scenario: moves its cast in, has them do one step after the other, and finds what did not come out as the scenario
// says. What must hold of the books at any time is checked elsewhere.
import { Duration, Effect, Ref, type Scope } from "effect"
import type { HttpClient } from "effect/http"
import type { Actors } from "../actors/Actors.ts"
import { type Customer, createCustomer } from "../actors/Customer.ts"
import { makePublisher } from "../actors/Publisher.ts"
import type { Finding } from "../events/BenchEvent.ts"
import { EventBus } from "../events/EventBus.ts"
import { ProcessorFaults } from "../service/FaultyProcessor.ts"
import type { Operator } from "../service/Operator.ts"
import type { TestService } from "../service/TestService.ts"
import { Receiver } from "../service/WebhookReceiver.ts"
import { runLoad } from "./Load.ts"
import type { Scenario, Step } from "./Scenario.ts"
import { makeSteps, type Stage } from "./Steps.ts"

/** What actors of a scenario live among. */
export type ScenarioEnv =
  | Actors
  | Operator
  | EventBus
  | TestService
  | HttpClient.HttpClient
  | ProcessorFaults
  | Receiver

/** Time to read what happened, in virtual seconds. */
const BETWEEN_STEPS = Duration.seconds(20)

const PUBLISHER = { actorId: "publisher", kind: "publisher", name: "Publisher", accountId: null, mode: null } as const

/** Deliveries to these webhooks that were verified and taken, by webhook and event; each event once. */
const listenForDeliveries = Effect.fnUntraced(function* (webhookIds: ReadonlySet<string | null>) {
  const { subscribe } = yield* EventBus
  const heard = new Map<string, Set<string>>()
  const stop = subscribe((event) => {
    if (event._tag !== "DeliveryReceived" || !webhookIds.has(event.webhookId)) return
    if (!event.verified || event.answeredStatus !== 200) return
    const which = `${event.webhookId} ${event.event}`
    heard.set(which, (heard.get(which) ?? new Set()).add(event.eventId))
  })
  yield* Effect.addFinalizer(() => Effect.sync(stop))
  return (webhookId: string | null, event: string) => heard.get(`${webhookId} ${event}`)?.size ?? 0
})

const makeContext = Effect.fnUntraced(function* (scenario: Scenario) {
  const events = yield* EventBus
  const findings: Array<Finding> = []
  const customers = new Map<string, Customer>()
  events.emit({ _tag: "ActorJoined", ...PUBLISHER })
  for (const member of scenario.cast) customers.set(member.name, yield* createCustomer(member))
  const stage: Stage = {
    customers,
    publisher: yield* makePublisher(PUBLISHER.actorId),
    heard: yield* listenForDeliveries(new Set([...customers.values()].map(({ webhookId }) => webhookId))),
    orders: new Map(),
    find: (what) => void findings.push({ rule: `scenario ${scenario.name}`, what })
  }
  return { stage, findings }
})

/** Fails with nothing: what did not come out as it should is in the answer. */
export const runScenario = (
  scenario: Scenario
): Effect.Effect<ReadonlyArray<Finding>, never, ScenarioEnv | Scope.Scope> =>
  Effect.gen(function* () {
    const { emit } = yield* EventBus
    const { name, title, watch } = scenario
    emit({ _tag: "ScenarioBegan", name, title, watch })
    const { stage, findings } = yield* makeContext(scenario)
    const steps = makeSteps(stage)
    const receiver = yield* Receiver
    const { down } = yield* ProcessorFaults

    const perform = (step: Step) => {
      switch (step.does) {
        case "wait":
          return Effect.sleep(Duration.minutes(step.minutes))
        case "set receiver":
          return receiver.setWorks(step.works)
        case "set processor":
          return Effect.andThen(
            Ref.set(down, !step.up),
            Effect.sync(() => emit({ _tag: "ProcessorChanged", up: step.up }))
          )
        case "crowd":
          return runLoad(step, stage.publisher)
        default:
          return steps(step)
      }
    }
    for (const step of scenario.steps) {
      yield* Effect.sleep(BETWEEN_STEPS)
      yield* perform(step)
    }
    emit({ _tag: "ScenarioEnded", name })
    return findings
  })
