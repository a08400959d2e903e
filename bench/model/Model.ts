// The one model behind every pane, and the pure function that folds events into it. Bounded: its size does not grow with the
// number of orders.

import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { BenchEvent } from "../events/BenchEvent.ts"
import { type ActorsModel, emptyActors, reduceActors } from "./ActorsModel.ts"
import { append } from "./BoundedList.ts"
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
  /** The speed of the last second, which a busy machine may keep below `speed`; `null` until it is known. */
  readonly had: number | null
  /** Whether dead time is being skipped. */
  readonly skipping: boolean
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
  /** The last ones, oldest first, but for the clock's. */
  readonly events: ReadonlyArray<BenchEvent>
}

export const MAX_EVENTS = 300

const initialRun: Run = {
  service: null,
  lost: null,
  scenario: null,
  speed: 1,
  had: null,
  skipping: false,
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
  log: [],
  events: []
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
      return { ...run, speed: event.speed, paused: event.paused, had: null }
    case "ClockMoved":
      return { ...run, had: event.had, skipping: event.skipping }
    case "TimeSkipped":
      return { ...run, had: null, skipping: false }
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

const reduceEvents = (events: Model["events"], event: BenchEvent): Model["events"] => {
  if (event._tag === "ClockMoved") return events
  return append(event._tag === "ServiceOpened" ? [] : events, event, MAX_EVENTS)
}

export const reduce = (model: Model, event: BenchEvent): Model => ({
  startedAtMs: event._tag === "ServiceOpened" ? event.atMs : (model.startedAtMs ?? event.atMs),
  nowMs: event._tag === "ServiceOpened" ? event.atMs : Math.max(model.nowMs, event.atMs),
  run: reduceRun(model.run, event),
  actors: reduceActors(model.actors, event),
  orders: reduceOrders(model.orders, event),
  wallets: reduceWallets(model.wallets, event),
  webhooks: reduceWebhooks(model.webhooks, event),
  log: reduceLog(model.log, event),
  events: reduceEvents(model.events, event)
})
