// Runs a scenario: creates its customers, executes one step after the other, and collects every difference from what the scenario
// expects.
import { Duration, Effect, type Scope } from "effect"
import type { HttpClient } from "effect/http"
import type { WebhookId } from "#core/domain/shared/Ids.ts"
import type { Actors } from "../actors/Actors.ts"
import { type Customer, createCustomer } from "../actors/Customer.ts"
import { makePublisher } from "../actors/Publisher.ts"
import type { Violation } from "../events/BenchEvent.ts"
import { EventBus, subscribeScoped } from "../events/EventBus.ts"
import type { ProcessorFaults } from "../service/FaultyProcessor.ts"
import type { Mailbox } from "../service/Mailbox.ts"
import type { Operator } from "../service/Operator.ts"
import { setProcessor, type TestService } from "../service/TestService.ts"
import { WebhookReceiver } from "../service/WebhookReceiver.ts"
import { runLoad } from "./Load.ts"
import type { Scenario, Step } from "./Scenario.ts"
import type { ScenarioContext } from "./ScenarioContext.ts"
import { executeStep } from "./Steps.ts"

type ScenarioEnv =
  | Actors
  | EventBus
  | HttpClient.HttpClient
  | Mailbox
  | Operator
  | ProcessorFaults
  | TestService
  | WebhookReceiver

/** Virtual time to read what happened. */
const BETWEEN_STEPS = Duration.seconds(20)

const PUBLISHER = { actorId: "publisher", kind: "publisher", name: "Publisher", accountId: null, mode: null } as const

/** Counts events by webhook and type that arrived with a right signature and were answered with 200; repetitions count once. */
const countReceived = Effect.fnUntraced(function* (webhookIds: ReadonlySet<WebhookId | null>) {
  const received = new Map<string, Set<string>>()
  yield* subscribeScoped((event) => {
    if (event._tag !== "DeliveryReceived" || !webhookIds.has(event.webhookId)) return
    if (!event.verified || event.answeredStatus !== 200) return
    const key = `${event.webhookId} ${event.event}`
    received.set(key, (received.get(key) ?? new Set()).add(event.eventId))
  })
  return (webhookId: WebhookId | null, event: string) => received.get(`${webhookId} ${event}`)?.size ?? 0
})

const makeContext = Effect.fnUntraced(function* (scenario: Scenario) {
  const { emit } = yield* EventBus
  const violations: Array<Violation> = []
  const customers = new Map<string, Customer>()
  emit({ _tag: "ActorJoined", ...PUBLISHER })
  for (const spec of scenario.customers) customers.set(spec.name, yield* createCustomer(spec))
  const context: ScenarioContext = {
    customers,
    publisher: yield* makePublisher(PUBLISHER.actorId),
    received: yield* countReceived(new Set([...customers.values()].map(({ webhookId }) => webhookId))),
    orders: new Map(),
    violate: (what) => void violations.push({ rule: `scenario ${scenario.name}`, what })
  }
  return { context, violations }
})

/** Returns the differences as violations. */
export const runScenario = (
  scenario: Scenario
): Effect.Effect<ReadonlyArray<Violation>, never, ScenarioEnv | Scope.Scope> =>
  Effect.gen(function* () {
    const { emit } = yield* EventBus
    const { name, title, watch } = scenario
    emit({ _tag: "ScenarioBegan", name, title, watch })
    const { context, violations } = yield* makeContext(scenario)
    const receiver = yield* WebhookReceiver

    const execute = (step: Step) => {
      switch (step.does) {
        case "wait":
          return Effect.sleep(Duration.minutes(step.minutes))
        case "set receiver":
          return receiver.setWorks(step.works)
        case "set processor":
          return setProcessor(step.up)
        case "load":
          return runLoad(step, context.publisher)
        default:
          return executeStep(context, step)
      }
    }
    for (const step of scenario.steps) {
      yield* Effect.sleep(BETWEEN_STEPS)
      yield* execute(step)
    }
    emit({ _tag: "ScenarioEnded", name })
    return violations
  })
