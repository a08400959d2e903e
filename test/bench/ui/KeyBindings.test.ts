// Every key, by the command it sends or the view it changes.
import { describe, expect, it } from "vitest"
import { emptyModel, type Model, reduce } from "#bench/model/Model.ts"
import { KEYS, type KeyAction } from "#bench/ui/KeyBindings.ts"
import { keyNames, press } from "#bench/ui/KeyInput.ts"
import { initialView, type View } from "#bench/ui/View.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { FURTHEST, modelOf, SAMPLE_EVENTS } from "../model/SampleEvents.ts"

const sample = modelOf(SAMPLE_EVENTS)
const [first = "", second = QuoteId.make(""), third = ""] = sample.orders.rows.map(({ quoteId }) => quoteId)
const orderId = sample.orders.rows[0]?.orderId
const [before = null, last = null] = sample.events.slice(-2)

const action = (key: string, view: Partial<View> = {}, model: Model = sample): KeyAction =>
  press(key, model, { ...initialView, ...view }, {})

/** The command or the change of the view, without the message. */
const effectOf = (action: KeyAction): unknown =>
  action._tag === "Send" ? action.command : action._tag === "ChangeView" ? action.view : action._tag

describe("keys", () => {
  const mine: Partial<View> = { pinned: FURTHEST }

  it.each([
    ["o", {}, { _tag: "PlaceOrder" }],
    ["p", {}, { _tag: "Pay", quoteId: null }],
    ["p", mine, { _tag: "Pay", quoteId: first }],
    ["a", mine, { _tag: "Abandon", quoteId: first }],
    ["r", mine, { _tag: "ReplayOrder", quoteId: first }],
    ["s", mine, { _tag: "Assign", orderId }],
    ["u", mine, { _tag: "Publish", orderId }],
    ["c", mine, { _tag: "CancelOrder", orderId }],
    ["c", {}, { _tag: "CancelOrder", orderId: null }],
    ["u", { pinned: second }, "Refuse"],
    ["t", {}, { _tag: "TopUp", accountId: null }],
    ["t", mine, { _tag: "TopUp", accountId: "acc_ada" }],
    ["m", {}, { _tag: "SwitchFulfilment", to: "manual" }],
    ["b", {}, { _tag: "SetReceiver", works: false }],
    ["x", {}, { _tag: "SetProcessor", up: false }],
    ["space", {}, { _tag: "SetPaused", paused: true }],
    [".", {}, { _tag: "Step" }],
    ["+", {}, { _tag: "SetSpeed", speed: 100 }],
    ["-", {}, { _tag: "SetSpeed", speed: 1 }],
    ["n", {}, { _tag: "NextStory" }],
    ["return", {}, { opened: last, scrolled: 0, help: false }],
    ["return", { opened: last }, { opened: null }],
    ["escape", { opened: last }, { opened: null }],
    ["k", { opened: last }, { opened: before, scrolled: 0 }],
    ["j", { opened: before }, { opened: last, scrolled: 0 }],
    ["j", { opened: last }, { opened: last, scrolled: 0 }],
    ["l", { opened: last }, { scrolled: 10 }],
    ["h", { opened: last, scrolled: 5 }, { scrolled: 0 }],
    ["j", {}, { pinned: second }],
    ["down", { pinned: second }, { pinned: first }],
    ["j", mine, { pinned: first }],
    ["k", mine, { pinned: second }],
    ["up", { pinned: second }, { pinned: third }],
    ["escape", mine, { pinned: null, wallet: null }],
    ["escape", { help: true }, { help: false }],
    ["l", {}, { wallet: "acc_ada" }],
    ["tab", {}, { shown: "agents", help: false, opened: null }],
    ["tab", { shown: "log" }, { shown: "overview", help: false, opened: null }],
    ["shift tab", {}, { shown: "log", help: false, opened: null }],
    ["4", {}, { shown: "wallet", help: false, opened: null }],
    ["0", { shown: "log" }, { shown: "overview", help: false, opened: null }],
    ["?", {}, { help: true }],
    ["q", {}, "Quit"],
    ["ctrl c", {}, "Quit"],
    ["Z", {}, "Refuse"]
  ] satisfies ReadonlyArray<[string, Partial<View>, unknown]>)("%s, with %j, means %j", (key, view, result) => {
    expect(effectOf(action(key, view))).toEqual(result)
  })

  it("toggle back", () => {
    const atMs = sample.nowMs
    const changed = [
      { _tag: "ProcessorChanged", atMs, up: false } as const,
      { _tag: "SpeedChanged", atMs, speed: 10_000, paused: true } as const,
      { _tag: "FulfilmentSwitched", atMs, fulfilment: "manual" } as const
    ].reduce(reduce, sample)
    expect(effectOf(action("x", {}, changed))).toEqual({ _tag: "SetProcessor", up: true })
    expect(effectOf(action("space", {}, changed))).toEqual({ _tag: "SetPaused", paused: false })
    expect(effectOf(action("m", {}, changed))).toEqual({ _tag: "SwitchFulfilment", to: "auto" })
    expect(effectOf(action("+", {}, changed))).toBe("Refuse")
  })

  it("open the events of a selected order alone", () => {
    const opened = (view: Partial<View>) => {
      const result = action("return", view)
      return result._tag === "ChangeView" ? JSON.stringify(result.view.opened) : result._tag
    }
    expect(opened(mine)).toMatch(new RegExp(`${FURTHEST}|${orderId}`))
    expect(opened({ pinned: second })).toContain(second)
  })

  it("select nothing in an empty model", () => {
    for (const key of ["j", "k", "l", "h", "return"]) expect(effectOf(action(key, {}, emptyModel))).toBe("Refuse")
  })

  it("have unique names, a description and a message", () => {
    const names = KEYS.flatMap((key) => key.names)
    expect(new Set(names).size).toBe(names.length)
    for (const { description, names } of KEYS) {
      expect(description).not.toBe("")
      const done = action(names[0] ?? "")
      if (done._tag !== "Quit") expect(done.message).not.toBe("")
    }
  })
})

describe("input", () => {
  it.each([
    ["jjk", {}, ["j", "j", "k"]],
    [" ", {}, ["space"]],
    ["", { upArrow: true }, ["up"]],
    ["", { tab: true, shift: true }, ["shift tab"]],
    ["c", { ctrl: true }, ["ctrl c"]],
    ["p", { meta: true }, ["alt p"]]
  ])("%j with %j is %j", (input, key, names) => {
    expect(keyNames(input, key)).toEqual(names)
  })
})
