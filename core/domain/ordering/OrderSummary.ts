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

/** How people write the day of a moment, and the zone that the day is of, unless it is said elsewhere: "4 December 2026", "UTC". */
export interface Days {
  readonly dayOf: (atMs: Millis) => string
  readonly zone?: string
}

/** The day of a moment, within a sentence. */
export interface DayInText {
  readonly atMs: Millis
}

/** A sentence whose days are not written yet. */
export type TextWithDays = ReadonlyArray<string | DayInText>

const say = (strings: TemplateStringsArray, ...values: ReadonlyArray<string | number | DayInText>): TextWithDays =>
  strings.flatMap((text, nth) => {
    const value = values[nth]
    return value === undefined ? [text] : [text, typeof value === "number" ? String(value) : value]
  })

const joined = (clauses: ReadonlyArray<TextWithDays>): TextWithDays =>
  clauses.flatMap((clause, nth) => (nth === 0 ? clause : ["; ", ...clause]))

interface Due {
  readonly first: DayInText
  readonly last: DayInText
  readonly isOneDay: boolean
  /** What follows a day. */
  readonly zone: string
}

const dueOf = ({ due }: Group, { dayOf, zone }: Days): Due => {
  const [first, last] = [{ atMs: due[0] ?? 0 }, { atMs: due.at(-1) ?? 0 }]
  const isOneDay = dayOf(first.atMs) === dayOf(last.atMs)
  return { first, last, isOneDay, zone: zone === undefined ? "" : ` (${zone})` }
}

const ORDINALS = [
  ...["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"],
  ...["eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth"],
  ...["nineteenth", "twentieth"]
]

/** One link has its place in the order, several have their number. */
const subjectOf = ({ places: [place = 0, ...others] }: Group): string =>
  others.length > 0 ? String(others.length + 1) : `the ${ORDINALS[place] ?? `link ${place + 1}`}`

const overdueText = (group: Group, subject: string, days: Days): TextWithDays => {
  const { first, isOneDay, zone } = dueOf(group, days)
  if (!isOneDay) return say`${subject} are overdue, the oldest since ${first}${zone}`
  return group.places.length === 1
    ? say`${subject} was due by ${first}${zone} and is overdue`
    : say`${subject} were due by ${first}${zone} and are overdue`
}

const dueText = (group: Group, subject: string, days: Days): TextWithDays => {
  const { first, last, isOneDay, zone } = dueOf(group, days)
  return isOneDay
    ? say`${subject} ${group.places.length === 1 ? "is" : "are"} due by ${first}${zone}`
    : say`${subject} are due by ${last}, the next by ${first}${zone}`
}

/** What is said of the links in a state, after `subject`. */
const clauseOf = (state: State, group: Group, subject: string, days: Days): TextWithDays => {
  const isOne = group.places.length === 1
  switch (state) {
    case "online":
      return say`${subject} ${isOne ? "is" : "are"} online`
    case "overdue":
      return overdueText(group, subject, days)
    case "due":
      return dueText(group, subject, days)
    case "undated":
      return say`${subject} ${isOne ? "has" : "have"} no due date`
    case "cancelled":
      return say`${subject} ${isOne ? "was" : "were"} cancelled`
  }
}

const onlineOf = (online: number, count: number): string => {
  if (online === 0) return count === 2 ? "Neither link is online yet" : `None of ${count} links is online yet`
  return `${online} of ${count} links ${online === 1 ? "is" : "are"} online`
}

/** Links that are all still to come say first that none is late. */
const toComeText = (group: Group, count: number, days: Days): TextWithDays => {
  const { first, last, zone } = dueOf(group, days)
  return [`${onlineOf(0, count)}; `, ...say`the next is due by ${first} and the last by ${last}${zone}`]
}

/** The sentence for an order whose links are all in one state. */
const soleText = (state: State, group: Group, count: number, days: Days): TextWithDays => {
  const subject = count === 1 ? "The link" : count === 2 ? "Both links" : `All ${count} links`
  if (state === "due" && !dueOf(group, days).isOneDay) return toComeText(group, count, days)
  return state === "undated"
    ? say`${subject} ${count === 1 ? "is" : "are"} not online yet, without a due date`
    : clauseOf(state, group, subject, days)
}

/** The sentence with its days apart, for pages that mark them. `days`: which moments are of one day. */
export const summaryWithDays = (links: ReadonlyArray<Shown>, nowMs: Millis, days: Days): TextWithDays => {
  const groups = groupsOf(links, nowMs)
  const [[state, group] = []] = groups
  if (state === undefined || group === undefined) return ["The order has no links."]
  if (groups.size === 1) return [...soleText(state, group, links.length, days), "."]
  const others = [...groups].flatMap(([state, group]) =>
    state === "online" ? [] : [clauseOf(state, group, subjectOf(group), days)]
  )
  return [...joined([[onlineOf(groups.get("online")?.places.length ?? 0, links.length)], ...others]), "."]
}

export const orderSummary = (links: ReadonlyArray<Shown>, nowMs: Millis, days: Days): string =>
  summaryWithDays(links, nowMs, days)
    .map((part) => (typeof part === "string" ? part : days.dayOf(part.atMs)))
    .join("")
