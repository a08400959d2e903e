// The bench in plain text: each event as a line for people and for comparing runs. Pure: the same events give the same lines. Ids
// are shortened to their ends, which is where they differ; addresses of this run are left out.
import { counted } from "#core/domain/Counted.ts"
import { formatEur } from "#core/domain/Money.ts"
import type { BenchEvent } from "../events/BenchEvent.ts"
import { BEGINS_AT_MS } from "../time/VirtualTime.ts"
import { oneLine } from "../ui/Format.ts"

const MARK_CHARACTERS = 6
const WHO_CHARACTERS = 12

/** `ord_…3f7x00` for a whole id. */
const mark = (id: string): string => {
  const prefix = id.slice(0, id.lastIndexOf("_") + 1)
  return `${prefix}…${id.slice(-MARK_CHARACTERS)}`
}

/** Any id inside a sentence. */
const marked = (text: string): string => text.replace(/\b[a-z]{1,4}_(?:test_)?[0-9a-z]{28}\b/g, mark)

/** Days, hours, minutes, seconds and thousandths since the run began. */
const since = (atMs: number): string => {
  const millis = Math.floor(atMs - BEGINS_AT_MS)
  const part = (size: number, of: number, digits = 2) => String(Math.floor(millis / size) % of).padStart(digits, "0")
  const day = Math.floor(millis / 86_400_000)
  return `${day}d ${part(3_600_000, 24)}:${part(60_000, 60)}:${part(1_000, 60)}.${part(1, 1_000, 3)}`
}

const eur = formatEur

type Line = readonly [who: string, what: string]

const attempted = (event: Extract<BenchEvent, { readonly _tag: "DeliveryAttempted" }>): string => {
  const { event: name, eventId, attempt, httpStatus, fault, state, nextAttemptAtMs, atMs } = event
  const outcome = fault === null || fault === "http_status" ? `answered ${httpStatus}` : fault
  const next = nextAttemptAtMs === null ? "" : `, again in ${Math.round((nextAttemptAtMs - atMs) / 1_000)} s`
  return `${name} ${mark(eventId)}, attempt ${attempt}: ${outcome}; ${state}${next}`
}

const ofActors = (event: BenchEvent): Line | null => {
  switch (event._tag) {
    case "ActionBegan":
      return [event.actorId, event.action]
    case "ActionEnded":
      return [event.actorId, `${event.ok ? "→" : "✗"} ${marked(event.answer)}`]
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
      const less = discountCents === 0 ? "" : ` after ${eur(discountCents)} off (${discountLabel})`
      const paid = `${eur(creditCents)} credit, ${eur(cardCents)} card`
      return ["quote", `${mark(quoteId)} opened: ${counted(lines.length, "link")}, ${eur(totalCents)}${less}; ${paid}`]
    }
    case "PaymentLinkReady":
      return ["quote", `${mark(event.quoteId)} can be paid`]
    case "PaymentArrived":
      return ["payment", `${eur(event.amountCents)} for ${mark(event.quoteId)}`]
    case "QuotePaid":
      return ["quote", `${mark(event.quoteId)} paid: ${mark(event.orderId)}`]
    case "QuoteAbandoned":
      return ["quote", `${mark(event.quoteId)} given up (${event.by})`]
    case "QuoteCredited":
      return ["quote", `${mark(event.quoteId)}: ${eur(event.cents)} came too late and are credit now`]
    case "OrderPlaced":
      return [
        "order",
        `${mark(event.orderId)} placed: ${event.links.map((link) => `${link.domain} ${link.status}`).join(", ")}`
      ]
    case "LinkMoved":
      return [
        "link",
        `${mark(event.linkId)} ${event.from} → ${event.to}; ${mark(event.orderId)} is ${event.orderStatus}`
      ]
    case "WalletMoved": {
      const { kind, amountCents, balanceCents, heldCents, accountId } = event
      return [
        "wallet",
        `${mark(accountId)} ${kind} ${eur(amountCents)}: balance ${eur(balanceCents)}, held ${eur(heldCents)}`
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
      return ["receiver", `${name} ${mark(eventId)}${again}: ${check}, answers ${answeredStatus}`]
    }
    case "DeliveryAttempted":
      return ["webhook", attempted(event)]
    case "ReceiverChanged":
      return ["receiver", event.works ? "works again" : "is broken"]
    case "WebhookAdded":
      return ["webhook", `${mark(event.webhookId)} hears ${event.events.join(", ")}`]
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
      return event.level === "info" ? null : ["log", `${event.level}: ${marked(event.text)}`]
    case "CommandExecuted":
      return ["key", event.sentence]
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
      const { findings, rules } = event
      const verdict = findings.length === 0 ? "every one holds" : `${findings.length} found broken`
      const told = findings.map(({ rule, what }) => `   BROKEN ${rule}: ${marked(what)}`)
      return [`   ${rules} rules checked: ${verdict}`, ...told]
    }
    default:
      return null
  }
}

/** `2027-01-04 09:00:00.000` for a deployment's own time, in UTC. */
export const timeOfDay = (atMs: number): string => new Date(atMs).toISOString().replace("T", " ").slice(0, 23)

/** None for what only a screen shows. `time` says when it was. */
export const linesOf = (event: BenchEvent, time: (atMs: number) => string = since): ReadonlyArray<string> => {
  const heading = headline(event)
  if (heading !== null) return heading
  const line = ofActors(event) ?? ofOrders(event) ?? ofWebhooks(event) ?? ofRun(event)
  if (line === null) return []
  const [who, what] = line
  // What a deployment says may be anybody's words, and goes straight to a terminal.
  return [`${time(event.atMs)}  ${oneLine(who).padEnd(WHO_CHARACTERS)}  ${oneLine(what)}`]
}
