// The part of the model with the log: what the bench and the person at the keys did, and every failure. The switch names every
// kind of event, so that a new one cannot be added without deciding what to log.
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { BenchEvent, EventOf } from "../events/BenchEvent.ts"

export interface LogLine {
  readonly atMs: Millis
  readonly level: "info" | "warning" | "error"
  readonly text: string
}

export const MAX_LINES = 200

type LogLines = ReadonlyArray<Omit<LogLine, "atMs">>

const info = (text: string): LogLines => [{ level: "info", text }]
const warning = (text: string): LogLines => [{ level: "warning", text }]
const error = (text: string): LogLines => [{ level: "error", text }]
const nothing: LogLines = []

const checked = ({ rules, violations }: EventOf<"InvariantsChecked">): LogLines =>
  violations.length === 0
    ? info(`all ${rules} rules hold`)
    : violations.map(({ rule, what }) => ({ level: "error", text: `broken rule ${rule}: ${what}` }))

const linesOf = (event: BenchEvent): LogLines => {
  switch (event._tag) {
    case "ServiceOpened":
      return info(event.attached ? `joined ${event.url}` : `opened ${event.url}, seed ${event.seed}`)
    case "ConnectionChanged":
      return event.connected ? info(`connected: ${event.reason}`) : error(`connection lost: ${event.reason}`)
    case "ScenarioBegan":
      return info(`scenario ${event.name}: ${event.title}`)
    case "ScenarioEnded":
      return info(`scenario ${event.name} is over`)
    case "SpeedChanged":
      return info(event.paused ? "time stands still" : `time runs at ×${event.speed}`)
    case "ProcessorChanged":
      return event.up ? info("the payment processor is up") : warning("the payment processor is down")
    case "ReceiverChanged":
      return event.works ? info("the receiver works") : warning("the receiver is broken")
    case "FulfilmentSwitched":
      return info(
        event.fulfilment === "manual" ? "every link waits for the operator" : "Plancton links are assigned at once"
      )
    case "Logged":
      return [{ level: event.level, text: event.text }]
    case "InvariantsChecked":
      return checked(event)
    case "CommandExecuted":
      return event.ok ? info(event.message) : warning(event.message)
    case "ActionEnded":
      return event.ok ? nothing : warning(`${event.actorId} ${event.action}: ${event.answer}`)
    case "DeliveryReceived":
      return event.verified ? nothing : error(`${event.event} ${event.eventId} came with a wrong signature`)
    case "EndpointHealthChanged":
      return event.status === "disabled" ? error(`webhook ${event.webhookId} is disabled`) : nothing
    case "QuoteCredited":
      return warning(`the payment of ${event.quoteId} came too late and became credit`)
    case "QuoteApproved":
      return info(`${event.quoteId} was approved by its human`)
    case "QuoteOpened":
      return event.awaitsApproval ? info(`${event.quoteId} waits for its human's approval`) : nothing
    case "QuoteAbandoned":
      return event.declinedReason === null ? nothing : info(`${event.quoteId} was declined by its human`)
    case "ClockMoved":
    case "ActorJoined":
    case "ActorLeft":
    case "ActionBegan":
    case "PaymentLinkReady":
    case "PaymentArrived":
    case "QuotePaid":
    case "OrderPlaced":
    case "LinkMoved":
    case "DocumentIssued":
    case "WalletOpened":
    case "WalletMoved":
    case "WebhookAdded":
    case "WebhookRevoked":
    case "DeliveryQueued":
    case "DeliveryAttempted":
      return nothing
  }
}

export const reduceLog = (log: ReadonlyArray<LogLine>, event: BenchEvent): ReadonlyArray<LogLine> => {
  const lines = linesOf(event)
  return lines.length === 0 ? log : [...log, ...lines.map((line) => ({ ...line, atMs: event.atMs }))].slice(-MAX_LINES)
}
