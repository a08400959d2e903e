// The program on a real terminal: it draws at every size, shows the results of keys, and restores the terminal however it ends.
import { afterEach, describe, expect, it, vi } from "vitest"
import { HANG_TIMEOUT_MS } from "#test/HangTimeout.ts"
import { hasTmux, openTerminal, type Terminal } from "./Tmux.ts"

const OWN_SCREEN = { alternate: true, cursor: false }
const AS_BEFORE = { alternate: false, cursor: true }
const SAMPLE_EVENTS = "--scenario credit-covers"

describe.skipIf(!hasTmux)(`on a real terminal${hasTmux ? "" : " (skipped: tmux is not installed)"}`, () => {
  let terminal: Terminal | undefined
  const open = (...args: Parameters<typeof openTerminal>): Terminal => {
    terminal = openTerminal(...args)
    return terminal
  }
  afterEach(() => terminal?.close())

  it("draws, redraws at other sizes, helps, and quits at q", async () => {
    const { shows, press, resize, screen, state, painted } = open(80, 24, SAMPLE_EVENTS, { NO_COLOR: "1" })
    await shows("3 Timeline")
    expect(screen()).not.toContain("4 Wallet")
    expect(state()).toEqual(OWN_SCREEN)
    press("?")
    await shows("leave, as Ctrl-C does")
    press("Escape")
    resize(120, 40)
    await shows("4 Wallet")
    await shows("Closed the help.")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of colours are what it is about
    expect(painted()).not.toMatch(/\u001b\[(?:3|4)[0-7]m/)
    resize(119, 40)
    await shows("4 Wallet")
    await vi.waitUntil(() => /^ credit-covers .* UTC\n/.test(screen()), { timeout: HANG_TIMEOUT_MS })
    resize(50, 12)
    await shows("This terminal is 50×12")
    await vi.waitUntil(() => !/[╭╮│╰╯]/.test(screen()), { timeout: HANG_TIMEOUT_MS })
    resize(120, 40)
    await shows("4 Wallet")
    press("q")
    await shows("left with 0")
    expect(state()).toEqual(AS_BEFORE)
    expect(screen()).not.toContain("Timeline")
  })

  it("shows the results of keys, and quits at Ctrl-C while paused with the help open", async () => {
    const { shows, press, screen, state } = open(120, 40, SAMPLE_EVENTS)
    await shows("Ada")
    press("o")
    await shows("3 links for")
    press("Space")
    await shows("Time stands still.")
    press("t")
    await shows("were paid in")
    press("?")
    await shows("These are the keys.")
    press("C-c")
    await shows("left with 0")
    expect(state()).toEqual(AS_BEFORE)
    expect(screen()).not.toContain("Timeline")
  })

  it("skips dead time, plays other stories, and shows a credit note on a timeline and an event's JSON", async () => {
    const { shows, press } = open(120, 40, "--scenario abandoned --speed 1000")
    await shows("which was skipped")
    await shows(" of ×1000")
    const stories = ["late-payment", "approval", "replay", "key-reused", "cap-reached", "promo-vs-welcome", "sandbox"]
    for (const story of [...stories, "webhook-retry", "cancel-recredit"]) {
      press("n")
      // At this speed a story may be over before the screen is looked at.
      await shows(new RegExp(`^ ${story}(?: \\(over\\))? · seed 1`, "m"))
    }
    await shows("credit note CN-")
    press("Enter")
    await shows('"_tag": ')
    press("Enter")
    await shows("Closed the event.")
    press("q")
    await shows("left with 0")
  })

  it("shows what the human tops up in the member area in the wallet, and the order that it pays", async () => {
    const { shows, press, screen } = open(120, 40, "--scenario top-up --speed 100")
    await shows("26.00 free = 26.00 balance − 0.00 held")
    expect(screen().match(/top up +\+ 50\.00 +50\.00/g)).toHaveLength(1)
    press("q")
    await shows("left with 0")
  })

  it("prints the transcript on a dumb terminal", async () => {
    const { shows, screen } = open(120, 40, SAMPLE_EVENTS, { TERM: "dumb" })
    await shows("left with 0")
    expect(screen()).toContain("everything came out as it should")
    expect(screen()).not.toContain("╭")
  })

  it("draws correctly after keys that were pressed before the first frame", async () => {
    const { press, screen, shows } = open(120, 40, SAMPLE_EVENTS)
    press("z", "z", "z", "z")
    await shows("4 Wallet")
    await vi.waitUntil(() => /^ credit-covers .* UTC\n/.test(screen()), { timeout: HANG_TIMEOUT_MS })
    press("q")
    await shows("left with 0")
  })

  it("names the least size on a terminal that is too small, and quits at Ctrl-C", async () => {
    const { shows, press, state } = open(40, 10, SAMPLE_EVENTS)
    await shows("This terminal is 40×10")
    press("C-c")
    await shows("left with 0")
    expect(state()).toEqual(AS_BEFORE)
  })
})
