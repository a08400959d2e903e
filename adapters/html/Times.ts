// How people read a moment: its day and minute by the clocks of their time zone, and the days around the present one by their words.
import { offsetMs, UTC } from "./TimeZones.ts"

/** Who reads: by which clocks, and when. */
export interface Reader {
  readonly zone: string
  readonly nowMs: number
}

const DAY_MS = 86_400_000

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"]
]

const SHORT = 3

interface Local {
  /** Days since 1970, by the clocks of the zone. */
  readonly dayNumber: number
  readonly weekday: string
  readonly day: number
  readonly month: string
  readonly year: number
  /** "14:02:09" */
  readonly clock: string
}

const localOf = (atMs: number, zone: string): Local => {
  const localMs = atMs + offsetMs(zone, atMs)
  const local = new Date(localMs)
  return {
    dayNumber: Math.floor(localMs / DAY_MS),
    weekday: WEEKDAYS[local.getUTCDay()] ?? "",
    day: local.getUTCDate(),
    month: MONTHS[local.getUTCMonth()] ?? "",
    year: local.getUTCFullYear(),
    clock: local.toISOString().slice("2026-11-28T".length, "2026-11-28T14:02:09".length)
  }
}

const toMinute = ({ clock }: Local): string => clock.slice(0, "14:02".length)

/** "Fri 27 Nov" */
const shortDay = ({ weekday, day, month }: Local): string =>
  `${weekday.slice(0, SHORT)} ${day} ${month.slice(0, SHORT)}`

const NEAR: Readonly<Record<number, string>> = { [-1]: "yesterday", 0: "today", 1: "tomorrow" }

const dayIn = (local: Local, { zone, nowMs }: Reader): string => {
  const now = localOf(nowMs, zone)
  const near = NEAR[local.dayNumber - now.dayNumber]
  if (near !== undefined) return near
  return local.year === now.year ? shortDay(local) : `${shortDay(local)} ${local.year}`
}

/** "today", "Fri 27 Nov", in another year "Fri 28 Nov 2025". */
export const dayText = (atMs: number, reader: Reader): string => dayIn(localOf(atMs, reader.zone), reader)

/** "28 November 2026", for what is kept as a text. */
export const longDay = (atMs: number, zone: string): string => {
  const { day, month, year } = localOf(atMs, zone)
  return `${day} ${month} ${year}`
}

/** The date of a day as documents and forms bear it: "2026-11-28". */
export const dateOf = (atMs: number, zone = UTC): string =>
  new Date(atMs + offsetMs(zone, atMs)).toISOString().slice(0, "2026-11-28".length)

/** "GMT+9", "GMT-3:30"; "UTC". */
const offsetText = (zone: string, atMs: number): string => {
  if (zone === UTC) return UTC
  const minutes = offsetMs(zone, atMs) / 60_000
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `GMT${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`
}

/** How far from a change of the clocks one looks for another moment of the same time. */
const AROUND_MS = DAY_MS / 4

/** Whether the clocks of the zone show the same time at another moment, because they were put back between the two. */
const comesTwice = (atMs: number, zone: string): boolean => {
  const localMs = atMs + offsetMs(zone, atMs)
  return [-AROUND_MS, AROUND_MS].some((aroundMs) => {
    const otherMs = localMs - offsetMs(zone, atMs + aroundMs)
    return otherMs !== atMs && otherMs + offsetMs(zone, otherMs) === localMs
  })
}

/** " (GMT+2)" where the time of the clocks alone does not say which moment is meant. */
const whichOfTwo = (atMs: number, zone: string): string =>
  comesTwice(atMs, zone) ? ` (${offsetText(zone, atMs)})` : ""

/** "today, 14:02", "Fri 27 Nov, 14:02"; in an hour that comes twice "today, 02:30 (GMT+2)". */
export const momentText = (atMs: number, reader: Reader): string => {
  const local = localOf(atMs, reader.zone)
  return `${dayIn(local, reader)}, ${toMinute(local)}${whichOfTwo(atMs, reader.zone)}`
}

/** What the clocks of the zone show: "14:02". */
export const clockText = ({ zone, nowMs }: Reader): string => toMinute(localOf(nowMs, zone))

/** "America/New York". */
export const zoneName = (zone: string): string => zone.replaceAll("_", " ")

/** "Asia/Tokyo (GMT+9)"; "UTC". */
export const zoneText = ({ zone, nowMs }: Reader): string =>
  zone === UTC ? UTC : `${zoneName(zone)} (${offsetText(zone, nowMs)})`

/** The whole moment: "Friday 27 November 2026, 14:02:09, Asia/Tokyo (GMT+9)". */
export const fullText = (atMs: number, zone: string): string => {
  const { weekday, day, month, year, clock } = localOf(atMs, zone)
  return `${weekday} ${day} ${month} ${year}, ${clock}, ${zoneText({ zone, nowMs: atMs })}`
}

/** For paper, which is read on other days: "Fri 27 Nov 2026, 14:02", or the day alone. */
export const paperText = (atMs: number, zone: string, what: "moment" | "day"): string => {
  const local = localOf(atMs, zone)
  return `${shortDay(local)} ${local.year}${what === "day" ? "" : `, ${toMinute(local)}`}`
}

/** For readers whose zone and day are not known: "Fri 27 Nov 2026, 14:02 UTC", or the day alone. */
export const utcText = (atMs: number, what: "moment" | "day"): string => `${paperText(atMs, UTC, what)} ${UTC}`

/**
 * For a mail, which says the zone with each time: "27 November 14:02 Asia/Tokyo", in UTC unless its reader has chosen a zone; in an hour that
 * comes twice "25 October 02:30 Europe/Paris (GMT+2)".
 */
export const deadlineText = (atMs: number, zone = UTC): string => {
  const local = localOf(atMs, zone)
  return `${local.day} ${local.month} ${local.year}, ${toMinute(local)} ${zoneName(zone)}${whichOfTwo(atMs, zone)}`
}

/** A date of a document, which has no zone: "24 Nov 2026". */
export const dateText = (date: string): string => {
  const { day, month, year } = localOf(Date.parse(date), UTC)
  return `${day} ${month.slice(0, SHORT)} ${year}`
}

/** The month of such a date: "November 2026". */
export const monthText = (date: string): string => {
  const { month, year } = localOf(Date.parse(date), UTC)
  return `${month} ${year}`
}
