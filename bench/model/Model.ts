// The one model behind every pane, and the pure function that folds events into it. Bounded: its size does not grow with the
// number of orders.

import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { BenchEvent } from "../events/BenchEvent.ts"
import { type ActorsModel, emptyActors, reduceActors } from "./ActorsModel.ts"
import { type LogLine, reduceLog } from "./LogModel.ts"
import { emptyOrders, type OrdersModel, reduceOrders } from "./OrdersModel.ts"
import { reduceWallets, type WalletRow } from "./WalletsModel.ts"
import { emptyWebhooks, reduceWebhooks, type WebhooksModel } from "./WebhooksModel.ts"

/** The state of the bench itself. */
export interface Run {
  readonly service: { readonly url: string; readonly attached: boolean; readonly seed: number | null } | null
  /** Why the connection to an attached service is lost; `null` while it is not. */
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
  /** How many rules the last check covered, and how many violations it found. */
  readonly checked: { readonly rules: number; readonly violations: number } | null
}

export interface Model {
  /** `null` before the first event. */
  readonly startedAtMs: Millis | null
  readonly nowMs: Millis
  readonly run: Run
  readonly actors: ActorsModel
  readonly orders: OrdersModel
  readonly wallets: ReadonlyArray<WalletRow>
  readonly webhooks: WebhooksModel
  readonly log: ReadonlyArray<LogLine>
}

const initialRun: Run = {
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
  run: initialRun,
  actors: emptyActors,
  orders: emptyOrders,
  wallets: [],
  webhooks: emptyWebhooks,
  log: []
}

const reduceRun = (run: Run, event: BenchEvent): Run => {
  switch (event._tag) {
    case "ServiceOpened": {
      const { url, attached, seed } = event
      const { scenario, speed, paused } = run
      return { ...initialRun, scenario, speed, paused, service: { url, attached, seed } }
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
      return { ...run, checked: { rules: event.rules, violations: event.violations.length } }
    default:
      return run
  }
}

export const reduce = (model: Model, event: BenchEvent): Model => ({
  startedAtMs: event._tag === "ServiceOpened" ? event.atMs : (model.startedAtMs ?? event.atMs),
  nowMs: event._tag === "ServiceOpened" ? event.atMs : Math.max(model.nowMs, event.atMs),
  run: reduceRun(model.run, event),
  actors: reduceActors(model.actors, event),
  orders: reduceOrders(model.orders, event),
  wallets: reduceWallets(model.wallets, event),
  webhooks: reduceWebhooks(model.webhooks, event),
  log: reduceLog(model.log, event)
})
