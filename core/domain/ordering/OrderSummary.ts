// One sentence that tells a human how an order stands: what is online, and when the rest is due.
import type { Millis } from "../shared/DecisionContext.ts"
import { dueAtMs, isOverdue } from "./DueDate.ts"
import { isOnline, type Link } from "./Link.ts"

type Shown = Pick<Link, "history" | "status" | "turnaroundDays">

/** Links in one state, with their places in the order and, in the order of time, when they are due. */
interface Group {
  readonly places: ReadonlyArray<number>
  readonly due: ReadonlyArray<Millis>
}

type State = "online" | "overdue" | "due" | "undated" | "cancelled"

const STATES: ReadonlyArray<State> = ["online", "overdue", "due", "undated", "cancelled"]

const stateOf = (link: Shown, nowMs: Millis): State => {
  if (link.status === "cancelled") return "cancelled"
  if (isOnline(link.status)) return "online"
  if (dueAtMs(link) === null) return "undated"
  return isOverdue(link, nowMs) ? "overdue" : "due"
}

const groupsOf = (links: ReadonlyArray<Shown>, nowMs: Millis): ReadonlyMap<State, Group> =>
  new Map(
    STATES.flatMap((state) => {
      const places = links.flatMap((link, place) => (stateOf(link, nowMs) === state ? [place] : []))
      const due = places.map((place) => links[place]).map((link) => (link === undefined ? 0 : (dueAtMs(link) ?? 0)))
      return places.length === 0 ? [] : [[state, { places, due: due.toSorted((a, b) => a - b) }] as const]
    })
  )

/** How people write the day of a moment, and the zone that the day is of: "4 December 2026", "UTC". */
export interface Days {
  readonly dayOf: (atMs: Millis) => string
  readonly zone: string
}

const ORDINALS = [
  ...["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"],
  ...["eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth"],
  ...["nineteenth", "twentieth"]
]

/** One link has its place in the order, several have their number. */
const subjectOf = ({ places: [place = 0, ...others] }: Group): string =>
  others.length > 0 ? String(others.length + 1) : `the ${ORDINALS[place] ?? `link ${place + 1}`}`

const overdueText = ({ places, due }: Group, subject: string, { dayOf, zone }: Days): string => {
  const [first, last] = [dayOf(due[0] ?? 0), dayOf(due.at(-1) ?? 0)]
  if (first !== last) return `${subject} are overdue, the oldest since ${first} (${zone})`
  return places.length === 1
    ? `${subject} was due by ${first} (${zone}) and is overdue`
    : `${subject} were due by ${first} (${zone}) and are overdue`
}

const dueText = ({ places, due }: Group, subject: string, { dayOf, zone }: Days): string => {
  const [first, last] = [dayOf(due[0] ?? 0), dayOf(due.at(-1) ?? 0)]
  return first === last
    ? `${subject} ${places.length === 1 ? "is" : "are"} due by ${first} (${zone})`
    : `${subject} are due, the next by ${first} and the last by ${last} (${zone})`
}

/** What is said of the links in a state, after `subject`. */
const clauseOf = (state: State, group: Group, subject: string, days: Days): string => {
  const isOne = group.places.length === 1
  switch (state) {
    case "online":
      return `${subject} ${isOne ? "is" : "are"} online`
    case "overdue":
      return overdueText(group, subject, days)
    case "due":
      return dueText(group, subject, days)
    case "undated":
      return `${subject} ${isOne ? "has" : "have"} no due date`
    case "cancelled":
      return `${subject} ${isOne ? "was" : "were"} cancelled`
  }
}

const onlineOf = (online: number, count: number): string => {
  if (online === 0) return count === 2 ? "Neither link is online yet" : `None of ${count} links is online yet`
  return `${online} of ${count} links ${online === 1 ? "is" : "are"} online`
}

/** The sentence for an order whose links are all in one state. */
const soleText = (state: State, group: Group, count: number, days: Days): string => {
  const subject = count === 1 ? "The link" : count === 2 ? "Both links" : `All ${count} links`
  return state === "undated"
    ? `${subject} ${count === 1 ? "is" : "are"} not online yet, without a due date`
    : clauseOf(state, group, subject, days)
}

export const orderSummary = (links: ReadonlyArray<Shown>, nowMs: Millis, days: Days): string => {
  const groups = groupsOf(links, nowMs)
  const [[state, group] = []] = groups
  if (state === undefined || group === undefined) return "The order has no links."
  if (groups.size === 1) return `${soleText(state, group, links.length, days)}.`
  const others = [...groups].flatMap(([state, group]) =>
    state === "online" ? [] : [clauseOf(state, group, subjectOf(group), days)]
  )
  return `${[onlineOf(groups.get("online")?.places.length ?? 0, links.length), ...others].join("; ")}.`
}
