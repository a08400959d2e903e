// How people read moments: by the clocks of their zone around its changes and the end of a year, and always with the whole moment beside it.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dayOf, html, instant, inZone } from "#adapters/html/Html.ts"
import {
  clockText,
  dayText,
  deadlineText,
  fullText,
  longDay,
  momentText,
  utcText,
  zoneText
} from "#adapters/html/Times.ts"
import { dayEndMs, dayStartMs, offsetMs, timeZoneNamed } from "#adapters/html/TimeZones.ts"
import { property } from "#test/Property.ts"

/** Zones of whole, half and quarter hours, which change by an hour or by half of one, at midnight too, or never. */
const ZONES = [
  ...["UTC", "Europe/Paris", "Asia/Tokyo", "Asia/Kathmandu", "America/St_Johns", "America/Havana", "America/Sao_Paulo"],
  ...[
    "Africa/Cairo",
    "Africa/Casablanca",
    "Asia/Beirut",
    "Australia/Lord_Howe",
    "Pacific/Chatham",
    "Pacific/Kiritimati"
  ]
]

const at = (text: string): number => Date.parse(text)

const readIn = (zone: string, now: string) => (moment: string) => momentText(at(moment), { zone, nowMs: at(now) })

describe("a moment", () => {
  it("is said by the day around the present one, else by weekday and day, and in another year with the year", () => {
    const read = readIn("UTC", "2026-11-28T15:00:00Z")
    expect(
      ["28T14:02", "27T09:10", "29T00:00", "26T14:02", "30T23:59"].map((time) => read(`2026-11-${time}:00Z`))
    ).toEqual(["today, 14:02", "yesterday, 09:10", "tomorrow, 00:00", "Thu 26 Nov, 14:02", "Mon 30 Nov, 23:59"])
    expect(read("2025-11-28T14:02:00Z")).toBe("Fri 28 Nov 2025, 14:02")
    expect(read("2027-01-01T00:00:00Z")).toBe("Fri 1 Jan 2027, 00:00")
  })

  it("is of the reader's day, not of the last 24 hours", () => {
    const inTokyo = readIn("Asia/Tokyo", "2026-11-28T15:05:00Z")
    expect(inTokyo("2026-11-28T15:00:00Z")).toBe("today, 00:00")
    expect(inTokyo("2026-11-28T14:59:59Z")).toBe("yesterday, 23:59")
    const inStJohns = readIn("America/St_Johns", "2026-11-28T03:00:00Z")
    expect(["27T12:00", "27T03:29"].map((time) => inStJohns(`2026-11-${time}:00Z`))).toEqual([
      "today, 08:30",
      "yesterday, 23:59"
    ])
  })

  it("crosses the end of a year by the reader's clocks", () => {
    const newYear = "2027-01-01T00:30:00Z"
    expect(readIn("America/New_York", newYear)("2026-12-29T12:00:00Z")).toBe("Tue 29 Dec, 07:00")
    expect(readIn("UTC", newYear)("2026-12-29T12:00:00Z")).toBe("Tue 29 Dec 2026, 12:00")
    expect(readIn("UTC", newYear)("2026-12-31T23:59:00Z")).toBe("yesterday, 23:59")
    expect(longDay(at("2026-12-31T15:00:00Z"), "Asia/Tokyo")).toBe("1 January 2027")
  })

  property(
    "is told apart from every other one of the same year by day, time and zone, to the minute",
    [fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 365 * 24 * 4 }), fc.integer({ min: -180, max: 180 })],
    (zone, quarter, minutes) => {
      const [one, other] = [at("2026-01-01T00:00:00Z") + quarter * 900_000, minutes * 60_000]
      const isSame = deadlineText(one, zone) === deadlineText(one + other, zone)
      expect(isSame).toBe(minutes === 0)
    }
  )

  it("follows summer time: an hour that is skipped, and one that comes twice, told apart by the whole moment", () => {
    const spring = readIn("Europe/Paris", "2026-03-29T12:00:00Z")
    expect(["00:59", "01:00"].map((time) => spring(`2026-03-29T${time}:00Z`))).toEqual(["today, 01:59", "today, 03:00"])
    const autumn = readIn("Europe/Paris", "2026-10-25T12:00:00Z")
    const twice = ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]
    expect(twice.map(autumn)).toEqual(["today, 02:30 (GMT+2)", "today, 02:30 (GMT+1)"])
    expect(["2026-10-24T23:59:00Z", "2026-10-25T02:00:00Z"].map(autumn)).toEqual(["today, 01:59", "today, 03:00"])
    expect(twice.map((moment) => deadlineText(at(moment), "Europe/Paris"))).toEqual([
      "25 October 2026, 02:30 Europe/Paris (GMT+2)",
      "25 October 2026, 02:30 Europe/Paris (GMT+1)"
    ])
    expect(twice.map((moment) => fullText(at(moment), "Europe/Paris"))).toEqual([
      "Sunday 25 October 2026, 02:30:00, Europe/Paris (GMT+2)",
      "Sunday 25 October 2026, 02:30:00, Europe/Paris (GMT+1)"
    ])
    expect(autumn("2026-10-24T22:30:00Z")).toBe("today, 00:30")
  })

  it("has its zone beside it where its reader is not known, and in mails", () => {
    expect(utcText(at("2026-11-27T14:02:30Z"), "moment")).toBe("Fri 27 Nov 2026, 14:02 UTC")
    expect(utcText(at("2026-11-27T14:02:30Z"), "day")).toBe("Fri 27 Nov 2026 UTC")
    expect(deadlineText(at("2026-11-27T23:02:30Z"), "Asia/Tokyo")).toBe("28 November 2026, 08:02 Asia/Tokyo")
    expect(deadlineText(at("2026-11-27T23:02:30Z"), "America/New_York")).toBe(
      "27 November 2026, 18:02 America/New York"
    )
    expect(zoneText({ zone: "America/St_Johns", nowMs: at("2026-11-27T14:02:30Z") })).toBe(
      "America/St Johns (GMT-3:30)"
    )
    expect(zoneText({ zone: "UTC", nowMs: 0 })).toBe("UTC")
  })

  const someMs = fc.integer({ min: at("2015-01-01"), max: at("2060-01-01") })
  const calendars = new Map(
    ZONES.map((timeZone) => [
      timeZone,
      new Intl.DateTimeFormat("en-CA", { timeZone, hourCycle: "h23", dateStyle: "short", timeStyle: "medium" })
    ])
  )
  const someZone = fc.constantFrom(...ZONES)
  const written = (zone: string, atMs: number): string => calendars.get(zone)?.format(atMs).replace(", ", "T") ?? ""

  property("agrees with the platform's calendar", [someZone, someMs], (zone, atMs) => {
    const local = new Date(atMs + offsetMs(zone, atMs)).toISOString()
    expect(written(zone, atMs)).toBe(local.slice(0, 19))
    expect(clockText({ zone, nowMs: atMs })).toBe(local.slice(11, 16))
    expect(dayText(atMs, { zone, nowMs: atMs })).toBe("today")
  })

  property("lies between the beginning and the end of its day", [someZone, someMs], (zone, atMs) => {
    const date = written(zone, atMs).slice(0, 10)
    expect(dayStartMs(date, zone)).toBeLessThanOrEqual(atMs)
    expect(dayEndMs(date, zone)).toBeGreaterThanOrEqual(atMs)
  })
})

it("the day of a date begins after a midnight that is skipped, and has 23, 24 or 25 hours", () => {
  expect(new Date(dayStartMs("2026-04-24", "Africa/Cairo")).toISOString()).toBe("2026-04-23T22:00:00.000Z")
  const hours = ["2026-03-29", "2026-06-01", "2026-10-25"].map(
    (date) => (dayEndMs(date, "Europe/Paris") + 1 - dayStartMs(date, "Europe/Paris")) / 3_600_000
  )
  expect(hours).toEqual([23, 24, 25])
  expect(dayEndMs("9999-12-31", "UTC")).toBe(at("9999-12-31T23:59:59.999Z"))
})

describe("a time zone", () => {
  it.each([
    ["Asia/Tokyo", "Asia/Tokyo"],
    [" asia/tokyo ", "Asia/Tokyo"],
    ["New York", "America/New_York"],
    ["utc", "UTC"],
    ["Asia/Calcutta", "Asia/Calcutta"],
    ["Kolkata", "Asia/Kolkata"],
    ["Mars/Olympus", undefined],
    ["+09:00", undefined],
    ["", undefined]
  ])("is found by its name or its city: %o", (typed, found) => expect(timeZoneNamed(typed)).toBe(found))

  it("is taken as UTC where this machine does not know it", () => {
    expect(momentText(0, { zone: "Mars/Olympus", nowMs: 0 })).toBe("today, 00:00")
  })
})

describe("a time on a page", () => {
  const reader = { zone: "Asia/Tokyo", nowMs: at("2026-11-28T15:05:00Z") }

  it("says the zone until its reader is known, then their day, with the whole moment in its title", () => {
    const page = html`<p>Until ${instant(at("2026-11-28T16:00:00Z"))}, due ${dayOf(at("2026-12-03T16:00:00Z"))}</p>`
    expect(page.text).toContain(">Sat 28 Nov 2026, 16:00 UTC</time>, due ")
    expect(inZone(page, reader).text).toBe(
      '<p>Until <time datetime="2026-11-28T16:00:00.000Z" title="Sunday 29 November 2026, 01:00:00, Asia/Tokyo (GMT+9)" data-paper="Sun 29 Nov 2026, 01:00">today, 01:00</time>, due <time datetime="2026-12-03T16:00:00.000Z" title="Friday 4 December 2026, 01:00:00, Asia/Tokyo (GMT+9)" data-paper="Fri 4 Dec 2026">Fri 4 Dec</time></p>'
    )
  })

  it("is never a text that a person wrote", () => {
    const written = html`<p>${instant(0).text}</p>`
    expect(inZone(written, reader).text).toBe(written.text)
  })
})
