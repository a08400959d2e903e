// Every key as data: its names, what it does, and the action it means for a model and a view. Help and hints are made from it.
import { type Command, SPEEDS, type Unavailable } from "../events/Command.ts"
import type { Model } from "../model/Model.ts"
import { shortId } from "./Format.ts"
import { PANES, type Shown, TITLES } from "./Layout.ts"
import { eventBeside, eventsOf, orderBeside, pinnedOrder, shownNext, type View, walletBeside } from "./View.ts"

/** `message` is for the person at the keys. */
export type KeyAction =
  | { readonly _tag: "Send"; readonly command: Command; readonly message: string }
  | { readonly _tag: "ChangeView"; readonly view: Partial<View>; readonly message: string }
  | { readonly _tag: "Refuse"; readonly message: string }
  | { readonly _tag: "Quit" }

export interface KeyBinding {
  /** The names that `keyNames` returns. */
  readonly names: ReadonlyArray<string>
  /** The name that people read. */
  readonly label: string
  /** A word for the footer; empty keeps the key out of it. */
  readonly hint: string
  /** For the help. */
  readonly description: string
  readonly action: (model: Model, view: View) => KeyAction
  /** The command it sends; absent for a key that only changes the view. */
  readonly sends?: Command["_tag"]
}

/** Why the session cannot execute the key's command; `undefined` where it can. */
export const reasonAgainst = ({ sends }: Pick<KeyBinding, "sends">, unavailable: Unavailable): string | undefined =>
  sends === undefined ? undefined : unavailable[sends]

type Action = KeyBinding["action"]

const send = (command: Command, message: string): KeyAction => ({ _tag: "Send", command, message })
const changeView = (view: Partial<View>, message: string): KeyAction => ({ _tag: "ChangeView", view, message })
const refuse = (message: string): KeyAction => ({ _tag: "Refuse", message })

const onQuote =
  (tag: "Pay" | "Abandon" | "ReplayOrder", message: string): Action =>
  (model, view) =>
    send({ _tag: tag, quoteId: pinnedOrder(model, view)?.quoteId ?? null }, message)

/** A pinned quote that is not paid has no order to act on; without a pinned one the bench chooses. */
const onOrder =
  (tag: "Assign" | "Publish" | "CancelOrder", message: string): Action =>
  (model, view) => {
    const pinned = pinnedOrder(model, view)
    return pinned?.orderId === null
      ? refuse(`${shortId(pinned.quoteId)} is not an order: it has not been paid.`)
      : send({ _tag: tag, orderId: pinned?.orderId ?? null }, message)
  }

const topUp: Action = (model, view) =>
  send({ _tag: "TopUp", accountId: view.wallet ?? pinnedOrder(model, view)?.accountId ?? null }, "Topping up…")

const togglePause: Action = ({ run }) =>
  send({ _tag: "SetPaused", paused: !run.paused }, run.paused ? "Letting time run…" : "Stopping time…")

const changeSpeed =
  (faster: boolean): Action =>
  ({ run }) => {
    const speed = faster ? SPEEDS.find((each) => each > run.speed) : SPEEDS.findLast((each) => each < run.speed)
    if (speed === undefined) return refuse(`Time already runs at ×${run.speed}.`)
    return send({ _tag: "SetSpeed", speed }, `Setting time to ×${speed}…`)
  }

const toggleFulfilment: Action = ({ run }) =>
  send({ _tag: "SwitchFulfilment", to: run.fulfilment === "auto" ? "manual" : "auto" }, "Switching assignment…")

const toggleReceiver: Action = ({ webhooks: { receiverWorks } }) =>
  send({ _tag: "SetReceiver", works: !receiverWorks }, `${receiverWorks ? "Breaking" : "Mending"} the receiver…`)

const toggleProcessor: Action = ({ run: { processorUp } }) =>
  send({ _tag: "SetProcessor", up: !processorUp }, `${processorUp ? "Killing" : "Restarting"} the payment processor…`)

const openEvent: Action = (model, view) => {
  if (view.opened !== null) return changeView({ opened: null }, "Closed the event.")
  const event = eventBeside(model, view, 0)
  return event === undefined
    ? refuse("There is no event to open yet.")
    : changeView({ opened: event, scrolled: 0, help: false }, "The newest event; ↑ and ↓ go to others, ← and → scroll.")
}

const selectEvent = (by: number, model: Model, view: View): KeyAction => {
  const opened = eventBeside(model, view, by) ?? null
  const events = eventsOf(model, view)
  const place = opened === null ? 0 : events.indexOf(opened) + 1
  return changeView({ opened, scrolled: 0 }, `Event ${place} of ${events.length}.`)
}

const LINES_PER_SCROLL = 10

const scroll = (by: number, view: View): KeyAction =>
  changeView({ scrolled: Math.max(0, view.scrolled + by * LINES_PER_SCROLL) }, "Scrolled.")

const selectOrder =
  (by: number): Action =>
  (model, view) => {
    if (view.opened !== null) return selectEvent(by, model, view)
    const order = orderBeside(model, view, by)
    if (order === undefined) return refuse("There is no order to select yet.")
    return changeView({ pinned: order.quoteId }, `Selected ${shortId(order.orderId ?? order.quoteId)}.`)
  }

const selectWallet =
  (by: number): Action =>
  (model, view) => {
    if (view.opened !== null) return scroll(by, view)
    const wallet = walletBeside(model, view, by)
    if (wallet === undefined) return refuse("There is no wallet to show yet.")
    return changeView({ wallet: wallet.accountId }, `The wallet of ${wallet.name}.`)
  }

const show = (shown: Shown): KeyAction =>
  changeView({ shown, help: false, opened: null }, `Showing ${shown === "overview" ? "the overview" : TITLES[shown]}.`)

const followNewest: Action = (_, { help, opened }) => {
  if (help) return changeView({ help: false }, "Closed the help.")
  return opened === null
    ? changeView({ pinned: null, wallet: null }, "Following the newest order.")
    : changeView({ opened: null }, "Closed the event.")
}

const toggleHelp: Action = (_, { help }) =>
  changeView({ help: !help }, help ? "Closed the help." : "These are the keys.")

const commandKey = (
  names: ReadonlyArray<string>,
  hint: string,
  description: string,
  sends: Command["_tag"],
  action: Action
): KeyBinding => ({ names, label: names[0] ?? "", hint, description, sends, action })

const viewKey = (
  names: ReadonlyArray<string>,
  label: string,
  description: string,
  action: Action,
  hint = ""
): KeyBinding => ({ names, label, hint, description, action })

export const KEYS: ReadonlyArray<KeyBinding> = [
  commandKey(["o"], "order", "an agent places an order", "PlaceOrder", () =>
    send({ _tag: "PlaceOrder" }, "Placing an order…")
  ),
  commandKey(["p"], "pay", "the human pays", "Pay", onQuote("Pay", "Paying…")),
  commandKey(["a"], "abandon", "the human does not buy", "Abandon", onQuote("Abandon", "Abandoning…")),
  commandKey(
    ["r"],
    "replay",
    "the same order with its key",
    "ReplayOrder",
    onQuote("ReplayOrder", "Sending the same order again…")
  ),
  commandKey(["s"], "assign", "assign its next link", "Assign", onOrder("Assign", "Assigning a link…")),
  commandKey(["u"], "publish", "publish its next link", "Publish", onOrder("Publish", "Publishing a link…")),
  commandKey(
    ["c"],
    "cancel",
    "cancel what is not online",
    "CancelOrder",
    onOrder("CancelOrder", "Cancelling an order…")
  ),
  commandKey(["t"], "top up", "50.00 EUR into the wallet", "TopUp", topUp),
  commandKey(["space"], "pause", "stop time, or let it run", "SetPaused", togglePause),
  commandKey(["."], "step", "while paused: the next thing", "Step", () => send({ _tag: "Step" }, "One step…")),
  commandKey(["+", "="], "faster", "time runs faster", "SetSpeed", changeSpeed(true)),
  commandKey(["-", "_"], "slower", "time runs slower", "SetSpeed", changeSpeed(false)),
  commandKey(["m"], "manual", "manual or automatic assignment", "SwitchFulfilment", toggleFulfilment),
  commandKey(["b"], "receiver", "break or mend the receiver", "SetReceiver", toggleReceiver),
  commandKey(["x"], "processor", "kill or restart the processor", "SetProcessor", toggleProcessor),
  commandKey(["n"], "next", "end this story, play the next", "NextStory", () =>
    send({ _tag: "NextStory" }, "On to the next story…")
  ),
  viewKey(["return"], "enter", "open or close an event's JSON", openEvent, "event"),
  viewKey(["j", "down"], "j ↓", "select the next order", selectOrder(1)),
  viewKey(["k", "up"], "k ↑", "select the order above", selectOrder(-1)),
  viewKey(["escape"], "esc", "follow the newest order", followNewest),
  viewKey(["l", "right"], "l →", "the next wallet", selectWallet(1)),
  viewKey(["h", "left"], "h ←", "the wallet before", selectWallet(-1)),
  viewKey(["tab"], "tab", "the next pane alone", (_, view) => show(shownNext(view, 1)), "panes"),
  viewKey(["shift tab"], "⇧tab", "the pane before", (_, view) => show(shownNext(view, -1))),
  viewKey(["0"], "0", "the overview", () => show("overview")),
  ...PANES.map((pane, index) => {
    const digit = String(index + 1)
    return viewKey([digit], digit, `${TITLES[pane]} alone`, () => show(pane))
  }),
  viewKey(["?"], "?", "this help, and away with it", toggleHelp, "help"),
  viewKey(["q", "ctrl c"], "q", "leave, as Ctrl-C does", () => ({ _tag: "Quit" }), "quit")
]
