// Time zones by the names that people know them by, and how far each is from UTC at a moment.
import { DateTime, Option } from "effect"

/** What a member has not chosen. */
export const UTC = "UTC"

/** Names of today for zones that the platform lists under an earlier one, which stays good. */
const RENAMED: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Godthab": "America/Nuuk",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk"
}

const listed = [...new Set([UTC, ...Intl.supportedValuesOf("timeZone")])]

/** Those that can be chosen, UTC first. */
export const TIME_ZONES: ReadonlyArray<string> = [
  UTC,
  ...listed.flatMap((name) => (name === UTC ? [] : [RENAMED[name] ?? name])).toSorted()
]

const spelled = (name: string): string => name.trim().toLowerCase().replaceAll(/\s+/g, "_")

const cityOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1)

const byName = new Map([...listed, ...TIME_ZONES].map((name) => [spelled(name), name]))

/** No two zones have a city of the same name. */
const byCity = new Map(TIME_ZONES.map((name) => [spelled(cityOf(name)), name]))

/** The zone of this name, or of this city, in any spelling: "Asia/Tokyo", "tokyo", "New York". */
export const timeZoneNamed = (text: string): string | undefined =>
  byName.get(spelled(text)) ?? byCity.get(spelled(text))

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** A zone that this machine does not know, such as one that a newer instance stored, is taken as UTC. */
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const timeZone = timeZoneNamed(zone) ?? UTC
  const made = new Intl.DateTimeFormat("en-GB", { timeZone, timeZoneName: "longOffset" })
  formats.set(zone, made)
  return made
}

/** How far the clocks of the zone are ahead of UTC then. */
export const offsetMs = (zone: string, atMs: number): number => {
  if (zone === UTC) return 0
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(formatOf(zone).format(atMs)) ?? []
  return sign === undefined ? 0 : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
}

/** Where a midnight is skipped, the first moment after it. */
const midnightMs = (dayMs: number, zone: string): number =>
  Option.match(DateTime.makeZoned(dayMs, { timeZone: timeZoneNamed(zone) ?? UTC, adjustForTimeZone: true }), {
    onNone: () => dayMs,
    onSome: DateTime.toEpochMillis
  })

/** When the day of this date, "2026-11-28", begins in the zone. */
export const dayStartMs = (date: string, zone: string): number => midnightMs(Date.parse(date), zone)

/** The last millisecond of it. */
export const dayEndMs = (date: string, zone: string): number => midnightMs(Date.parse(date) + DAY_MS, zone) - 1
