// Frames of the whole screen at several sizes, compared with the text files in `frames/`.
import { stripVTControlCharacters } from "node:util"
import { displayWidth } from "effect/cli/CliOutput"
import { renderToString } from "ink"
import { describe, expect, it } from "vitest"
import { unavailable } from "#bench/attached/AttachedCommands.ts"
import type { BenchEvent } from "#bench/events/BenchEvent.ts"
import type { Unavailable } from "#bench/events/Command.ts"
import { emptyModel, type Model } from "#bench/model/Model.ts"
import { scenarios } from "#bench/scenarios/Scenarios.ts"
import { Frame } from "#bench/ui/Frame.tsx"
import { MIN_SCREEN, PANES, type Screen, type Shown } from "#bench/ui/Layout.ts"
import { initialView, type View } from "#bench/ui/View.ts"
import { AccountId } from "#core/domain/shared/Ids.ts"
import { FURTHEST, modelOf, SAMPLE_EVENTS } from "../model/SampleEvents.ts"

const sample = modelOf(SAMPLE_EVENTS)

const trouble: ReadonlyArray<BenchEvent> = [
  { _tag: "ProcessorChanged", atMs: sample.nowMs, up: false },
  { _tag: "ReceiverChanged", atMs: sample.nowMs, works: false },
  {
    _tag: "InvariantsChecked",
    atMs: sample.nowMs,
    rules: 12,
    violations: [{ rule: "held is the sum of open holds", what: "acc_ada holds 5.00 EUR for nothing" }]
  }
]

/** Plain text; `columns` is the terminal's width where it is no longer the screen's. */
const draw = (
  model: Model,
  screen: Screen,
  view: Partial<View> = {},
  missing: Unavailable = {},
  columns = screen.columns
): string => {
  const frame = (
    <Frame model={model} view={{ ...initialView, ...view }} screen={screen} colour={false} unavailable={missing} />
  )
  return stripVTControlCharacters(renderToString(frame, { columns }))
}

const SMALL: Screen = { columns: 80, rows: 24 }
const USUAL: Screen = { columns: 120, rows: 40 }
const WIDE: Screen = { columns: 200, rows: 50 }

const named = ({ columns, rows }: Screen): string => `${columns}x${rows}`

const shown: ReadonlyArray<Shown> = ["overview", ...PANES]
const pictures = [SMALL, USUAL].flatMap((screen) =>
  shown.map((pane): readonly [string, Screen, Partial<View>] => [
    `${pane}-${named(screen)}`,
    screen,
    { shown: pane, pinned: FURTHEST }
  ])
)

const received = sample.events.find(({ _tag }) => _tag === "DeliveryReceived") ?? null

describe("the frame", () => {
  it.each([
    ...pictures,
    ["overview-200x50", WIDE, { pinned: FURTHEST }] as const,
    ["event-80x24", SMALL, { opened: received }] as const,
    ["event-120x40", USUAL, { opened: received, pinned: FURTHEST, scrolled: 4 }] as const,
    ["help-80x24", SMALL, { help: true }] as const,
    ["help-120x40", USUAL, { help: true }] as const
  ])("%s", async (name, screen, view) => {
    await expect(draw(sample, screen, view)).toMatchFileSnapshot(`./frames/${name}.txt`)
  })

  it.each([SMALL, USUAL])("before anything happened, at $columns×$rows", async (screen) => {
    await expect(draw(emptyModel, screen)).toMatchFileSnapshot(`./frames/empty-${named(screen)}.txt`)
  })

  it.each([SMALL, USUAL])("of an attached deployment, at $columns×$rows", async (screen) => {
    const joined = SAMPLE_EVENTS.map(
      (event): BenchEvent => (event._tag === "ServiceOpened" ? { ...event, attached: true, seed: null } : event)
    )
    const lost: BenchEvent = { _tag: "ConnectionChanged", atMs: sample.nowMs, connected: false, reason: "no answer" }
    const model = modelOf([...joined.filter(({ _tag }) => !_tag.startsWith("Scenario")), lost])
    const name = `./frames/attached-${named(screen)}.txt`
    await expect(draw(model, screen, {}, unavailable)).toMatchFileSnapshot(name)
    const help = `./frames/attached-help-${named(screen)}.txt`
    await expect(draw(model, screen, { help: true }, unavailable)).toMatchFileSnapshot(help)
  })

  it("says of a quote that is open past its expiry that it is, instead of a time", () => {
    const open = sample.orders.rows.findLast(({ status }) => status === "awaiting_payment")
    const expiresAtMs = open?.price?.expiresAtMs ?? Number.NaN
    const textAt = (nowMs: number) =>
      draw({ ...sample, nowMs }, USUAL, { shown: "timeline", pinned: open?.quoteId ?? null })
    expect(textAt(expiresAtMs - 1)).toContain("expires in 1s")
    expect(textAt(expiresAtMs)).toContain("still open past its expiry")
    expect(textAt(expiresAtMs)).not.toContain("expires in")
  })

  it("shows the speed that is had beside the one that was asked for, and that dead time is skipped", () => {
    const moved = (had: number | null, skipping = false) =>
      draw(modelOf([...SAMPLE_EVENTS, { _tag: "ClockMoved", atMs: sample.nowMs, had, skipping }]), SMALL).split("\n")[0]
    expect(moved(null)).toContain("▶ ×10  ")
    expect(moved(0)).toContain("▶ ×0 of ×10  ")
    expect(moved(6.42)).toContain("▶ ×6.4 of ×10  ")
    expect(moved(9.98)).toContain("▶ ×10 of ×10  ")
    expect(moved(640.4)).toContain("▶ ×640 of ×10  ")
    expect(moved(null, true)).toContain("▶▶ nothing happens: skipped  ")
  })

  it("names what is broken", () => {
    const frame = draw(modelOf([...SAMPLE_EVENTS, ...trouble]), USUAL)
    for (const words of ["PROCESSOR DOWN", "RECEIVER BROKEN", "1 BROKEN RULE", "held is the sum of open holds"])
      expect(frame).toContain(words)
  })

  const sizes = [
    MIN_SCREEN,
    SMALL,
    { columns: 81, rows: 23 },
    { columns: 110, rows: 32 },
    USUAL,
    WIDE,
    { columns: 300, rows: 90 }
  ]

  it.each(sizes.flatMap((size) => shown.map((pane) => ({ ...size, pane }))))(
    "fills $columns×$rows with $pane, exactly",
    ({ pane, ...screen }) => {
      const lines = draw(sample, screen, { shown: pane }).split("\n")
      expect(lines).toHaveLength(screen.rows)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(screen.columns)
      const edges = lines.filter((line) => line.startsWith("╭") || line.startsWith("╰"))
      for (const line of edges) expect(line).toHaveLength(screen.columns)
    }
  )

  it("wraps no line on a terminal that got narrower since the screen was measured", () => {
    const lines = draw(sample, USUAL, {}, {}, USUAL.columns - 1).split("\n")
    expect(lines).toHaveLength(USUAL.rows)
    for (const line of lines) expect(line.length).toBeLessThan(USUAL.columns)
  })

  it.each([
    { columns: MIN_SCREEN.columns - 1, rows: MIN_SCREEN.rows },
    { columns: MIN_SCREEN.columns, rows: MIN_SCREEN.rows - 1 },
    { columns: 24, rows: 5 }
  ])("names the least size where $columns×$rows is too small", (screen) => {
    const text = draw(sample, screen).replace(/\s+/g, " ")
    expect(text).toContain(`This terminal is ${screen.columns}×${screen.rows}`)
    expect(text).toContain("72×20")
    expect(text).not.toContain("╭")
  })

  it.each([MIN_SCREEN, SMALL, USUAL])("shows all of what to watch at $columns×$rows", (screen) => {
    for (const { name, title, watch } of scenarios) {
      const begun = modelOf([...SAMPLE_EVENTS, { _tag: "ScenarioBegan", atMs: sample.nowMs, name, title, watch }])
      expect(draw(begun, screen).replace(/\s+/g, " "), name).toContain(watch)
    }
  })

  it("marks a selected order, and the newest", () => {
    expect(draw(sample, SMALL, { pinned: FURTHEST })).toMatch(/▶ ord_…9c2m00/)
    expect(draw(sample, SMALL)).toMatch(/▷ q_t…5h4n00/)
  })

  it("draws control characters as spaces", () => {
    const atMs = sample.nowMs
    const hostile = modelOf([...SAMPLE_EVENTS, { _tag: "Logged", atMs, level: "info", text: "one\u001b[2J\ntwo" }])
    expect(draw(hostile, USUAL, { shown: "log" })).toContain("· one [2J two")
  })

  const called = (name: string): Model =>
    modelOf([
      ...SAMPLE_EVENTS,
      { _tag: "WalletOpened", atMs: sample.nowMs, accountId: AccountId.make("acc_named"), name }
    ])

  /** Characters of two cells, vowel signs of disputed width, joined emoji and flags. */
  it.each(["漢字", "कि", "👩‍👩‍👧👍🏽🇫🇷"])("closes the edge behind a name of %s", (word) => {
    const lines = draw(called(word.repeat(12)), SMALL, { shown: "wallet", wallet: AccountId.make("acc_named") }).split(
      "\n"
    )
    const edge = lines.find((line) => line.startsWith("╭"))
    expect(edge).toContain(word.slice(0, 2))
    expect(edge?.endsWith("╮")).toBe(true)
  })

  it("closes the edge behind a name whose characters take two cells each at the last cell", () => {
    const edge = draw(called("漢字".repeat(12)), SMALL, { shown: "wallet", wallet: AccountId.make("acc_named") })
      .split("\n")
      .find((line) => line.startsWith("╭"))
    expect(displayWidth(edge ?? "")).toBe(SMALL.columns)
    expect(edge?.endsWith("─╮")).toBe(true)
  })

  it("truncates a name that is longer than its edge", () => {
    const frame = draw(called("Willow & Spade, gardeners ".repeat(4)), SMALL, {
      shown: "wallet",
      wallet: AccountId.make("acc_named")
    })
    expect(frame).toMatch(/^╭─ 4 Wallet ─* Willow & Spade, gardeners Willow .*… ─╮$/m)
  })

  it("draws an anchor text without characters of disputed width and without control characters", () => {
    const rows = sample.orders.rows.map((row) => ({
      ...row,
      links: row.links.map((link) => ({ ...link, anchorText: "👍🏽 tools\u001b[2J" }))
    }))
    const model = { ...sample, orders: { ...sample.orders, rows } }
    expect(draw(model, USUAL, { shown: "timeline", pinned: FURTHEST })).toContain("“👍 tools [2J”")
  })

  it("keeps the time in its place behind an address whose characters take two cells each", () => {
    const opened: BenchEvent = {
      _tag: "ServiceOpened",
      atMs: sample.nowMs,
      url: `http://${"漢字".repeat(20)}`,
      attached: true,
      seed: null
    }
    const [header = ""] = draw(modelOf([opened]), SMALL).split("\n")
    expect(header).toContain("…")
    expect(header.endsWith(" UTC")).toBe(true)
    expect(displayWidth(header)).toBe(SMALL.columns - 1)
  })
})
