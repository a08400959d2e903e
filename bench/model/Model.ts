// The one model behind every pane, and the one function that takes it from event to event. Pure and bounded: after a hundred
// thousand orders it is as large as after a few hundred.
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { BenchEvent } from "../events/BenchEvent.ts"
import { type Actors, emptyActors, reduceActors } from "./ActorsModel.ts"
import { type LogLine, reduceLog } from "./LogModel.ts"
import { emptyOrders, type Orders, reduceOrders } from "./OrdersModel.ts"
import { reduceWallets, type WalletRow } from "./WalletsModel.ts"
import { emptyWebhooks, reduceWebhooks, type Webhooks } from "./WebhooksModel.ts"

/** How the bench itself stands. */
export interface Run {
  readonly service: { readonly url: string; readonly attached: boolean; readonly seed: number | null } | null
  /** Why an attached service is not heard; `null` while it is. */
  readonly lost: string | null
  readonly scenario: {
    readonly name: string
    readonly title: string
    readonly watch: string
    readonly over: boolean
  } | null
  readonly speed: number
  readonly paused: boolean
  readonly processorUp: boolean
  readonly fulfilment: Fulfilment
  /** What the last look through the books found. */
  readonly checked: { readonly rules: number; readonly findings: number } | null
}

export interface Model {
  /** `null` before the first event. */
  readonly startedAtMs: Millis | null
  readonly nowMs: Millis
  readonly run: Run
  readonly actors: Actors
  readonly orders: Orders
  readonly wallets: ReadonlyArray<WalletRow>
  readonly webhooks: Webhooks
  readonly log: ReadonlyArray<LogLine>
}

const idle: Run = {
  service: null,
  lost: null,
  scenario: null,
  speed: 1,
  paused: false,
  processorUp: true,
  fulfilment: "auto",
  checked: null
}

export const emptyModel: Model = {
  startedAtMs: null,
  nowMs: 0,
  run: idle,
  actors: emptyActors,
  orders: emptyOrders,
  wallets: [],
  webhooks: emptyWebhooks,
  log: []
}

const stepRun = (run: Run, event: BenchEvent): Run => {
  switch (event._tag) {
    case "ServiceOpened": {
      const { url, attached, seed } = event
      const { scenario, speed, paused } = run
      return { ...idle, scenario, speed, paused, service: { url, attached, seed } }
    }
    case "ConnectionChanged":
      return { ...run, lost: event.connected ? null : event.reason }
    case "ScenarioBegan": {
      const { name, title, watch } = event
      return { ...run, scenario: { name, title, watch, over: false } }
    }
    case "ScenarioEnded":
      return run.scenario === null ? run : { ...run, scenario: { ...run.scenario, over: true } }
    case "SpeedChanged":
      return { ...run, speed: event.speed, paused: event.paused }
    case "ProcessorChanged":
      return { ...run, processorUp: event.up }
    case "FulfilmentSwitched":
      return { ...run, fulfilment: event.fulfilment }
    case "InvariantsChecked":
      return { ...run, checked: { rules: event.rules, findings: event.findings.length } }
    default:
      return run
  }
}

/** The model after one more event. */
export const reduce = (model: Model, event: BenchEvent): Model => ({
  startedAtMs: event._tag === "ServiceOpened" ? event.atMs : (model.startedAtMs ?? event.atMs),
  nowMs: event._tag === "ServiceOpened" ? event.atMs : Math.max(model.nowMs, event.atMs),
  run: stepRun(model.run, event),
  actors: reduceActors(model.actors, event),
  orders: reduceOrders(model.orders, event),
  wallets: reduceWallets(model.wallets, event),
  webhooks: reduceWebhooks(model.webhooks, event),
  log: reduceLog(model.log, event)
})
