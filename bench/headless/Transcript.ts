// The transcript: each event as a line of text, for reading and for comparing runs. Pure: the same events give the same lines.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { BenchEvent } from "../events/BenchEvent.ts"
import { STARTS_AT_MS } from "../time/VirtualTime.ts"
import { oneLine } from "../ui/Format.ts"

const ID_CHARACTERS = 6
const WHO_CHARACTERS = 12

/** `ord_…3f7x00`. */
const shortened = (id: string): string => {
  const prefix = id.slice(0, id.lastIndexOf("_") + 1)
  return `${prefix}…${id.slice(-ID_CHARACTERS)}`
}

const withShortIds = (text: string): string => text.replace(/\b[a-z]{1,4}_(?:test_)?[0-9a-z]{28}\b/g, shortened)

/** Days, hours, minutes, seconds and milliseconds since the run began. */
const since = (atMs: number): string => {
  const millis = Math.floor(atMs - STARTS_AT_MS)
  const part = (size: number, of: number, digits = 2) => String(Math.floor(millis / size) % of).padStart(digits, "0")
  const day = Math.floor(millis / 86_400_000)
  return `${day}d ${part(3_600_000, 24)}:${part(60_000, 60)}:${part(1_000, 60)}.${part(1, 1_000, 3)}`
}

type Line = readonly [who: string, what: string]

const attempted = (event: Extract<BenchEvent, { readonly _tag: "DeliveryAttempted" }>): string => {
  const { event: name, eventId, attempt, httpStatus, fault, state, nextAttemptAtMs, atMs } = event
  const outcome = fault === null || fault === "http_status" ? `answered ${httpStatus}` : fault
  const next = nextAttemptAtMs === null ? "" : `, again in ${Math.round((nextAttemptAtMs - atMs) / 1_000)} s`
  return `${name} ${shortened(eventId)}, attempt ${attempt}: ${outcome}; ${state}${next}`
}

const ofActors = (event: BenchEvent): Line | null => {
  switch (event._tag) {
    case "ActionBegan":
      return [event.actorId, event.action]
    case "ActionEnded":
      return [event.actorId, `${event.ok ? "→" : "✗"} ${withShortIds(event.answer)}`]
    case "ActorJoined":
      return event.kind === "payer" ? null : [event.actorId, `${event.name} joins (${event.kind})`]
    default:
      return null
  }
}

const ofOrders = (event: BenchEvent): Line | null => {
  switch (event._tag) {
    case "QuoteOpened": {
      const { quoteId, totalCents, creditCents, cardCents, lines, discountCents, discountLabel } = event
      const less = discountCents === 0 ? "" : ` after ${formatEur(discountCents)} off (${discountLabel})`
      const asks = event.awaitsApproval ? "; waits for approval" : ""
      const paid = `${formatEur(creditCents)} credit, ${formatEur(cardCents)} card${asks}`
      return [
        "quote",
        `${shortened(quoteId)} opened: ${counted(lines.length, "link")}, ${formatEur(totalCents)}${less}; ${paid}`
      ]
    }
    case "PaymentLinkReady":
      return ["quote", `${shortened(event.quoteId)} can be paid`]
    case "PaymentArrived":
      return ["payment", `${formatEur(event.amountCents)} for ${shortened(event.quoteId)}`]
    case "QuotePaid":
      return ["quote", `${shortened(event.quoteId)} paid: ${shortened(event.orderId)}`]
    case "QuoteApproved":
      return ["quote", `${shortened(event.quoteId)} approved`]
    case "QuoteAbandoned":
      return [
        "quote",
        `${shortened(event.quoteId)} ${event.declinedReason === null ? "abandoned" : "declined"} (${event.by})`
      ]
    case "QuoteCredited":
      return ["quote", `${shortened(event.quoteId)}: ${formatEur(event.cents)} came too late and are credit now`]
    case "OrderPlaced":
      return [
        "order",
        `${shortened(event.orderId)} placed: ${event.links.map((link) => `${link.domain} ${link.status}`).join(", ")}`
      ]
    case "LinkMoved":
      return [
        "link",
        `${shortened(event.linkId)} ${event.from} → ${event.to}; ${shortened(event.orderId)} is ${event.orderStatus}`
      ]
    case "DocumentIssued": {
      const { kind, number, totalCents, orderId } = event
      const what = kind === "invoice" ? "invoice" : "credit note"
      return [what, `${number ?? "pro forma"} of ${shortened(orderId)}: ${formatEur(totalCents)}`]
    }
    case "WalletMoved": {
      const { kind, amountCents, balanceCents, heldCents, accountId } = event
      return [
        "wallet",
        `${shortened(accountId)} ${kind} ${formatEur(amountCents)}: balance ${formatEur(balanceCents)}, held ${formatEur(heldCents)}`
      ]
    }
    default:
      return null
  }
}

const ofWebhooks = (event: BenchEvent): Line | null => {
  switch (event._tag) {
    case "DeliveryReceived": {
      const { event: name, eventId, verified, repeated, answeredStatus } = event
      const again = repeated ? ", again" : ""
      const check = verified ? "signature verified" : "SIGNATURE WRONG"
      return ["receiver", `${name} ${shortened(eventId)}${again}: ${check}, answers ${answeredStatus}`]
    }
    case "DeliveryAttempted":
      return ["webhook", attempted(event)]
    case "ReceiverChanged":
      return ["receiver", event.works ? "works again" : "is broken"]
    case "WebhookAdded":
      return ["webhook", `${shortened(event.webhookId)} receives ${event.events.join(", ")}`]
    default:
      return null
  }
}

const ofRun = (event: BenchEvent): Line | null => {
  switch (event._tag) {
    case "FulfilmentSwitched":
      return ["operator", `fulfilment is ${event.fulfilment}`]
    case "ProcessorChanged":
      return ["processor", event.up ? "is up again" : "is down"]
    case "Logged":
      return event.level === "info" ? null : ["log", `${event.level}: ${withShortIds(event.text)}`]
    case "CommandExecuted":
      return ["key", event.message]
    case "ServiceOpened":
      return event.attached ? ["bench", `joined ${event.url}`] : null
    case "ConnectionChanged":
      return ["bench", event.connected ? `connected: ${event.reason}` : `connection lost: ${event.reason}`]
    default:
      return null
  }
}

const headline = (event: BenchEvent): ReadonlyArray<string> | null => {
  switch (event._tag) {
    case "ScenarioBegan":
      return ["", `── ${event.name}: ${event.title}`, `   ${event.watch}`]
    case "InvariantsChecked": {
      const { violations, rules } = event
      const verdict = violations.length === 0 ? "every one holds" : `${violations.length} found broken`
      const broken = violations.map(({ rule, what }) => `   BROKEN ${rule}: ${withShortIds(what)}`)
      return [`   ${rules} rules checked: ${verdict}`, ...broken]
    }
    default:
      return null
  }
}

/** `2027-01-04 09:00:00.000`, UTC. */
export const timeOfDay = (atMs: number): string => new Date(atMs).toISOString().replace("T", " ").slice(0, 23)

/** Empty for events that only the screen shows. `time` formats an event's time. */
export const linesOf = (event: BenchEvent, time: (atMs: number) => string = since): ReadonlyArray<string> => {
  const heading = headline(event)
  if (heading !== null) return heading
  const line = ofActors(event) ?? ofOrders(event) ?? ofWebhooks(event) ?? ofRun(event)
  if (line === null) return []
  const [who, what] = line
  // Names and messages of a deployment may hold control characters, and go straight to a terminal.
  return [`${time(event.atMs)}  ${oneLine(who).padEnd(WHO_CHARACTERS)}  ${oneLine(what)}`]
}
