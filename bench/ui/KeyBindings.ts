// Every key as data: what it is called, what it does, and what comes of it here and now. The help and the hints are made from it.
import { type Command, SPEEDS, type Unavailable } from "../events/Command.ts"
import type { Model } from "../model/Model.ts"
import type { OrderRow } from "../model/OrdersModel.ts"
import { shortId } from "./Format.ts"
import { PANES } from "./Layout.ts"
import { TITLES } from "./Pane.tsx"
import { orderBeside, pinnedOrder, shownNext, type View, walletBeside } from "./View.ts"

/** What a key comes to. `saying` tells the person. */
export type Deed =
  | { readonly _tag: "Send"; readonly command: Command; readonly saying: string }
  | { readonly _tag: "Look"; readonly view: Partial<View>; readonly saying: string }
  | { readonly _tag: "Refuse"; readonly saying: string }
  | { readonly _tag: "Leave" }

export interface Key {
  /** As `keyName` names them; the first stands for all. */
  readonly names: ReadonlyArray<string>
  /** As it is written for people. */
  readonly label: string
  /** A word for the hints at the foot; empty keeps it out of them. */
  readonly hint: string
  /** For the help. */
  readonly does: string
  readonly deed: (model: Model, view: View) => Deed
  /** The command it may come to; absent for a key that only looks. */
  readonly sends?: Command["_tag"]
}

/** Why this bench cannot do it; `undefined` where it can. */
export const reasonAgainst = ({ sends }: Pick<Key, "sends">, unavailable: Unavailable): string | undefined =>
  sends === undefined ? undefined : unavailable[sends]

const send = (command: Command, saying: string): Deed => ({ _tag: "Send", command, saying })
const look = (view: Partial<View>, saying: string): Deed => ({ _tag: "Look", view, saying })
const refuse = (saying: string): Deed => ({ _tag: "Refuse", saying })

const titleOf = (shown: View["shown"]): string => (shown === "overview" ? "the overview" : TITLES[shown])

const ofQuote =
  (command: (quoteId: string | null) => Command, saying: string) =>
  (model: Model, view: View): Deed =>
    send(command(pinnedOrder(model, view)?.quoteId ?? null), saying)

/** A pinned quote that is no order yet leaves nothing to choose; without a pinned one the bench chooses. */
const ofOrder =
  (command: (orderId: string | null) => Command, saying: string) =>
  (model: Model, view: View): Deed => {
    const order: OrderRow | undefined = pinnedOrder(model, view)
    if (order === undefined) return send(command(null), saying)
    return order.orderId === null
      ? refuse(`${shortId(order.quoteId)} is not an order: it has not been paid.`)
      : send(command(order.orderId), saying)
  }

const select =
  (by: number) =>
  (model: Model, view: View): Deed => {
    const order = orderBeside(model, view, by)
    if (order === undefined) return refuse("There is no order to select yet.")
    return look({ pinned: order.quoteId }, `Selected ${shortId(order.orderId ?? order.quoteId)}.`)
  }

const wallet =
  (by: number) =>
  (model: Model, view: View): Deed => {
    const found = walletBeside(model, view, by)
    return found === undefined
      ? refuse("There is no wallet to show yet.")
      : look({ wallet: found.accountId }, `The wallet of ${found.name}.`)
  }

const pace =
  (faster: boolean) =>
  ({ run }: Model): Deed => {
    const speed = faster ? SPEEDS.find((each) => each > run.speed) : SPEEDS.findLast((each) => each < run.speed)
    if (speed === undefined) return refuse(`Time already runs at ×${run.speed}.`)
    return send({ _tag: "SetSpeed", speed }, `Setting time to ×${speed}…`)
  }

const turn =
  (by: number) =>
  (_: Model, view: View): Deed => {
    const shown = shownNext(view, by)
    return look({ shown, help: false }, `Showing ${titleOf(shown)}.`)
  }

export const KEYS: ReadonlyArray<Key> = [
  {
    names: ["o"],
    label: "o",
    hint: "order",
    does: "an agent places an order",
    sends: "PlaceOrder",
    deed: () => send({ _tag: "PlaceOrder" }, "Placing an order…")
  },
  {
    names: ["p"],
    label: "p",
    hint: "pay",
    does: "the human pays",
    sends: "Pay",
    deed: ofQuote((quoteId) => ({ _tag: "Pay", quoteId }), "Paying…")
  },
  {
    names: ["a"],
    label: "a",
    hint: "abandon",
    does: "the human does not buy",
    sends: "Abandon",
    deed: ofQuote((quoteId) => ({ _tag: "Abandon", quoteId }), "Abandoning…")
  },
  {
    names: ["r"],
    label: "r",
    hint: "replay",
    does: "the same order with its key",
    sends: "ReplayOrder",
    deed: ofQuote((quoteId) => ({ _tag: "ReplayOrder", quoteId }), "Sending the same order again…")
  },
  {
    names: ["s"],
    label: "s",
    hint: "assign",
    does: "assign its next link",
    sends: "Assign",
    deed: ofOrder((orderId) => ({ _tag: "Assign", orderId }), "Assigning a link…")
  },
  {
    names: ["u"],
    label: "u",
    hint: "publish",
    does: "publish its next link",
    sends: "Publish",
    deed: ofOrder((orderId) => ({ _tag: "Publish", orderId }), "Publishing a link…")
  },
  {
    names: ["c"],
    label: "c",
    hint: "cancel",
    does: "cancel what is not online",
    sends: "CancelOrder",
    deed: ofOrder((orderId) => ({ _tag: "CancelOrder", orderId }), "Cancelling an order…")
  },
  {
    names: ["t"],
    label: "t",
    hint: "top up",
    does: "50.00 EUR into the wallet",
    sends: "TopUp",
    deed: (model, view) =>
      send({ _tag: "TopUp", accountId: view.wallet ?? pinnedOrder(model, view)?.accountId ?? null }, "Topping up…")
  },
  {
    names: ["space"],
    label: "space",
    hint: "pause",
    does: "stop time, or let it run",
    sends: "SetPaused",
    deed: ({ run }) =>
      send({ _tag: "SetPaused", paused: !run.paused }, run.paused ? "Letting time run…" : "Stopping time…")
  },
  {
    names: ["."],
    label: ".",
    hint: "step",
    does: "while paused: the next thing",
    sends: "Step",
    deed: () => send({ _tag: "Step" }, "One step…")
  },
  { names: ["+", "="], label: "+", hint: "faster", does: "time runs faster", sends: "SetSpeed", deed: pace(true) },
  { names: ["-", "_"], label: "-", hint: "slower", does: "time runs slower", sends: "SetSpeed", deed: pace(false) },
  {
    names: ["m"],
    label: "m",
    hint: "manual",
    does: "manual or automatic assignment",
    sends: "SwitchFulfilment",
    deed: ({ run }) =>
      send({ _tag: "SwitchFulfilment", to: run.fulfilment === "auto" ? "manual" : "auto" }, "Switching assignment…")
  },
  {
    names: ["b"],
    label: "b",
    hint: "receiver",
    does: "break or mend the receiver",
    sends: "SetReceiver",
    deed: ({ webhooks }) =>
      webhooks.receiverWorks
        ? send({ _tag: "SetReceiver", works: false }, "Breaking the receiver…")
        : send({ _tag: "SetReceiver", works: true }, "Mending the receiver…")
  },
  {
    names: ["x"],
    label: "x",
    hint: "processor",
    does: "kill or restart the processor",
    sends: "SetProcessor",
    deed: ({ run }) =>
      run.processorUp
        ? send({ _tag: "SetProcessor", up: false }, "Killing the payment processor…")
        : send({ _tag: "SetProcessor", up: true }, "Restarting the payment processor…")
  },
  { names: ["j", "down"], label: "j ↓", hint: "", does: "select the next order", deed: select(1) },
  { names: ["k", "up"], label: "k ↑", hint: "", does: "select the order above", deed: select(-1) },
  {
    names: ["escape"],
    label: "esc",
    hint: "",
    does: "follow the newest order",
    deed: (_, { help }) =>
      help
        ? look({ help: false }, "Closed the help.")
        : look({ pinned: null, wallet: null }, "Following the newest order.")
  },
  { names: ["l", "right"], label: "l →", hint: "", does: "the next wallet", deed: wallet(1) },
  { names: ["h", "left"], label: "h ←", hint: "", does: "the wallet before", deed: wallet(-1) },
  { names: ["tab"], label: "tab", hint: "panes", does: "the next pane alone", deed: turn(1) },
  { names: ["shift tab"], label: "⇧tab", hint: "", does: "the pane before", deed: turn(-1) },
  {
    names: ["0"],
    label: "0",
    hint: "",
    does: "the overview",
    deed: () => look({ shown: "overview", help: false }, "Showing the overview.")
  },
  ...PANES.map(
    (pane, index): Key => ({
      names: [String(index + 1)],
      label: String(index + 1),
      hint: "",
      does: `${TITLES[pane]} alone`,
      deed: () => look({ shown: pane, help: false }, `Showing ${TITLES[pane]}.`)
    })
  ),
  {
    names: ["?"],
    label: "?",
    hint: "help",
    does: "this help, and away with it",
    deed: (_, { help }) => look({ help: !help }, help ? "Closed the help." : "These are the keys.")
  },
  { names: ["q", "ctrl c"], label: "q", hint: "quit", does: "leave, as Ctrl-C does", deed: () => ({ _tag: "Leave" }) }
]
