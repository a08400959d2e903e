// The part of the model with the log: what the bench and the person at the keys did, and every failure. The switch names every
// kind of event, so that a new one cannot be added without deciding what to log.
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { BenchEvent, EventOf } from "../events/BenchEvent.ts"

export interface LogLine {
  readonly atMs: Millis
  readonly level: "info" | "warning" | "error"
  readonly text: string
  /** How many lines of the service this one stands for: as many quotes as one sweep says the same of. */
  readonly times: number
}

export const MAX_LINES = 200

type LogLines = ReadonlyArray<Pick<LogLine, "level" | "text">>

const info = (text: string): LogLines => [{ level: "info", text }]
const warning = (text: string): LogLines => [{ level: "warning", text }]
const error = (text: string): LogLines => [{ level: "error", text }]
const nothing: LogLines = []

const MINUTE_MS = 60_000

/** "23 h 58 min" */
const spanText = (millis: number): string => {
  const minutes = Math.round(millis / MINUTE_MS)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const fulfilmentText = { manual: "every link waits for the operator", auto: "Plancton links are assigned at once" }

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
      return info(fulfilmentText[event.fulfilment])
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
    case "TimeSkipped":
      return info(`nothing happened for ${spanText(event.millis)}, which was skipped`)
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

/** Virtual time hardly moves during a sweep. */
const SWEEP_MS = 1_000

/** What a line of the service says, without the quote and the cause that it says it of. */
const subjectOf = (text: string): string => text.split(/[{"]|\b[a-z]+_(?:test_)?[0-9a-z]{28}\b/, 1)[0] ?? ""

/** What one sweep says of many quotes is one line. */
const isRepeated = (line: LogLine | undefined, event: BenchEvent): line is LogLine =>
  line !== undefined &&
  event._tag === "Logged" &&
  event.level === line.level &&
  event.atMs - line.atMs < SWEEP_MS &&
  subjectOf(event.text) === subjectOf(line.text)

export const reduceLog = (log: ReadonlyArray<LogLine>, event: BenchEvent): ReadonlyArray<LogLine> => {
  const last = log.at(-1)
  if (isRepeated(last, event)) return log.with(-1, { ...last, times: last.times + 1 })
  const lines = linesOf(event)
  if (lines.length === 0) return log
  return [...log, ...lines.map((line) => ({ ...line, atMs: event.atMs, times: 1 }))].slice(-MAX_LINES)
}
