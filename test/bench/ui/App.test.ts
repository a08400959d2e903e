// The app on a terminal in memory: keys become commands and show their results, and the terminal is restored in every case.
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { BenchSession } from "#bench/events/BenchSession.ts"
import { run } from "#bench/ui/App.tsx"
import { modelOf, SAMPLE_EVENTS } from "../model/SampleEvents.ts"
import { makeSession } from "./FakeSession.ts"
import { KEYS, makeTerminal } from "./FakeTerminal.ts"

const open = (columns = 120, rows = 40, unavailable: BenchSession["unavailable"] = {}) => {
  const terminal = makeTerminal(columns, rows)
  const fake = makeSession(unavailable)
  const ending = new AbortController()
  const done = run(fake.session, ending.signal, terminal.streams)
  return { ...terminal, ...fake, ending, done }
}

const expectRestored = ({ isAlternate, showsCursor, isRaw, listening }: ReturnType<typeof open>): void => {
  expect({ alternate: isAlternate(), cursor: showsCursor(), raw: isRaw(), listening: listening() }).toEqual({
    alternate: false,
    cursor: true,
    raw: false,
    listening: 0
  })
}

describe("while it runs", () => {
  let app: ReturnType<typeof open>
  beforeEach(async () => {
    app = open()
    app.emit(SAMPLE_EVENTS)
    app.press(`jj`)
    await app.shows("order placed: 3 links")
  })
  afterEach(async () => {
    app.ending.abort()
    await app.done
  })

  it("uses the alternate screen in raw mode without a cursor, and subscribed before the start", () => {
    expect(app.startedWith()).toBe(1)
    expect(app.isAlternate()).toBe(true)
    expect(app.isRaw()).toBe(true)
    expect(app.showsCursor()).toBe(false)
  })

  it("sends a key's command, and shows its result", async () => {
    app.press("o")
    await app.shows("PlaceOrder")
    expect(app.commands).toEqual([{ _tag: "PlaceOrder" }])
  })

  it("acts on the order that a held key selected", async () => {
    app.press("p")
    await app.shows("Pay.")
    expect(app.commands).toEqual([{ _tag: "Pay", quoteId: modelOf(SAMPLE_EVENTS).orders.rows.at(0)?.quoteId }])
  })

  it("selects no order once the newest is followed again", async () => {
    app.press(KEYS.escape)
    await app.shows("ollowing the newest order.")
    app.press("p")
    await app.shows("Pay.")
    expect(app.commands).toEqual([{ _tag: "Pay", quoteId: null }])
  })

  it("toggles a switch from its current state", async () => {
    app.emit([{ _tag: "ReceiverChanged", atMs: 0, works: false }])
    await app.shows("RECEIVER BROKEN")
    app.press("b")
    await app.shows("SetReceiver.")
    expect(app.commands).toEqual([{ _tag: "SetReceiver", works: true }])
  })

  it("redraws for another size, and says when it is too small", async () => {
    app.resize(50, 12)
    await app.shows("This terminal is 50×12")
    app.resize(100, 30)
    await app.shows("3 Timeline")
  })

  it("shows the help", async () => {
    app.press("?")
    await app.shows("kill or restart the processor")
  })

  it("keeps the notice of a newer key when an older command's result comes", async () => {
    const answer = app.hold()
    app.press("o")
    await app.shows("Placing an order")
    app.press("4")
    await app.shows("Showing Wallet.")
    answer()
    app.emit([{ _tag: "ReceiverChanged", atMs: 0, works: false }])
    await app.shows("RECEIVER BROKEN")
    expect(app.everything()).not.toContain("PlaceOrder")
  })

  it("says that an unknown key does nothing", async () => {
    app.press("Z")
    await app.shows("does nothing here")
    expect(app.commands).toEqual([])
  })
})

describe("the terminal is restored", () => {
  const ends: ReadonlyArray<readonly [string, (app: ReturnType<typeof open>) => void]> = [
    ["q", ({ press }) => press("q")],
    ["Ctrl-C", ({ press }) => press(KEYS.ctrlC)],
    ["the signal", ({ ending }) => ending.abort()]
  ]
  const states: ReadonlyArray<
    readonly [string, readonly [number, number], (app: ReturnType<typeof open>) => void, string]
  > = [
    ["at once", [80, 24], () => undefined, "Nothing is playing"],
    ["with orders on the screen", [120, 40], ({ emit }) => emit(SAMPLE_EVENTS), "partial-credit"],
    ["in the help", [80, 24], ({ press }) => press("?"), "leave, as Ctrl-C does"],
    ["where it is too small", [40, 10], () => undefined, "This terminal is 40×10"]
  ]
  const cases = states.flatMap(([when, size, make, words]) =>
    ends.map(([how, end]) => ({ when, size, make, words, how, end }))
  )

  it.each(cases)("after $how $when", async ({ size: [columns, rows], make, words, end }) => {
    const app = open(columns, rows)
    const there = app.shows(words)
    make(app)
    await there
    end(app)
    await app.done
    expectRestored(app)
    expect(app.commands).toEqual([{ _tag: "Quit" }])
  })

  it("where the signal was given before the start", async () => {
    const terminal = makeTerminal(80, 24)
    const { session, listening } = makeSession()
    await run(session, AbortSignal.abort(), terminal.streams)
    expect(terminal.isAlternate()).toBe(false)
    expect(terminal.showsCursor()).toBe(true)
    expect(listening()).toBe(0)
  })
})

describe("an attached bench", () => {
  it("says why a key is not available, and sends nothing", async () => {
    const app = open(80, 24, { SetPaused: "its time is the clock on the wall" })
    await app.shows("Nothing is playing")
    app.press(" ")
    await app.shows("is not available here: its time is the clock on the wall.")
    app.ending.abort()
    await app.done
    expect(app.commands).toEqual([{ _tag: "Quit" }])
  })
})
