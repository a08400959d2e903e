// Plays a scenario: moves its cast in, has them do one step after the other, and finds what did not come out as the scenario
// says. What must hold of the books at any time is checked elsewhere.
import { Duration, Effect, Ref, type Scope } from "effect"
import type { HttpClient } from "effect/http"
import { ProcessorFaults } from "#adapters/payments/FaultyProcessor.ts"
import type { Acting } from "../actors/Acting.ts"
import { type Household, moveIn } from "../actors/Household.ts"
import { makePublisher } from "../actors/Publisher.ts"
import type { Finding } from "../BenchEvent.ts"
import { Feed } from "../Feed.ts"
import type { Desk } from "../service/Desk.ts"
import type { House } from "../service/House.ts"
import { Receiver } from "../service/Receiver.ts"
import { playCrowd } from "./Crowd.ts"
import { makeDeeds, type Stage } from "./Deeds.ts"
import type { Scenario, Step } from "./Scenario.ts"

/** What actors of a scenario live among. */
export type Surroundings = Acting | Desk | Feed | House | HttpClient.HttpClient | ProcessorFaults | Receiver

/** Time to read what happened, in virtual seconds. */
const BETWEEN_STEPS = Duration.seconds(20)

const PUBLISHER = { actorId: "publisher", kind: "publisher", name: "Publisher", accountId: null, mode: null } as const

/** Deliveries to these webhooks that were verified and taken, by webhook and event; each event once. */
const listenForDeliveries = Effect.fnUntraced(function* (webhookIds: ReadonlySet<string | null>) {
  const { listen } = yield* Feed
  const heard = new Map<string, Set<string>>()
  const stop = listen((event) => {
    if (event._tag !== "DeliveryReceived" || !webhookIds.has(event.webhookId)) return
    if (!event.verified || event.answeredStatus !== 200) return
    const which = `${event.webhookId} ${event.event}`
    heard.set(which, (heard.get(which) ?? new Set()).add(event.eventId))
  })
  yield* Effect.addFinalizer(() => Effect.sync(stop))
  return (webhookId: string | null, event: string) => heard.get(`${webhookId} ${event}`)?.size ?? 0
})

const setTheStage = Effect.fnUntraced(function* (scenario: Scenario) {
  const feed = yield* Feed
  const findings: Array<Finding> = []
  const households = new Map<string, Household>()
  feed.tell({ _tag: "ActorJoined", ...PUBLISHER })
  for (const member of scenario.cast) households.set(member.name, yield* moveIn(member))
  const stage: Stage = {
    households,
    publisher: yield* makePublisher(PUBLISHER.actorId),
    heard: yield* listenForDeliveries(new Set([...households.values()].map(({ webhookId }) => webhookId))),
    orders: new Map(),
    find: (what) => void findings.push({ rule: `scenario ${scenario.name}`, what })
  }
  return { stage, findings }
})

/** Fails with nothing: what did not come out as it should is in the answer. */
export const play = (scenario: Scenario): Effect.Effect<ReadonlyArray<Finding>, never, Surroundings | Scope.Scope> =>
  Effect.gen(function* () {
    const { tell } = yield* Feed
    const { name, title, watch } = scenario
    tell({ _tag: "ScenarioBegan", name, title, watch })
    const { stage, findings } = yield* setTheStage(scenario)
    const deeds = makeDeeds(stage)
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
            Effect.sync(() => tell({ _tag: "ProcessorChanged", up: step.up }))
          )
        case "crowd":
          return playCrowd(step, stage.publisher)
        default:
          return deeds(step)
      }
    }
    for (const step of scenario.steps) {
      yield* Effect.sleep(BETWEEN_STEPS)
      yield* perform(step)
    }
    tell({ _tag: "ScenarioEnded", name })
    return findings
  })
