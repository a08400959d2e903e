// What the person has on the screen: the panes, the selected order and wallet, the result of the last key.

import type { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { BenchEvent } from "../events/BenchEvent.ts"
import type { Model } from "../model/Model.ts"
import type { OrderRow } from "../model/OrdersModel.ts"
import type { WalletRow } from "../model/WalletsModel.ts"
import { PANES, type Shown } from "./Layout.ts"

/** `ok` is `null` until the result is known. */
export interface Notice {
  readonly ok: boolean | null
  readonly text: string
}

export interface View {
  readonly shown: Shown
  readonly help: boolean
  /** The selected quote; `null` follows the newest. */
  readonly pinned: QuoteId | null
  /** The selected wallet's account; `null` follows the selected order. */
  readonly wallet: AccountId | null
  /** The event whose JSON is open; `null` while none is. */
  readonly opened: BenchEvent | null
  /** Lines of the JSON above the screen. */
  readonly scrolled: number
  readonly notice: Notice
}

export const initialView: View = {
  shown: "overview",
  help: false,
  pinned: null,
  wallet: null,
  opened: null,
  scrolled: 0,
  notice: { ok: null, text: "Press ? for the keys." }
}

/** `undefined` also where the model has dropped the order. */
export const pinnedOrder = ({ orders }: Model, { pinned }: View): OrderRow | undefined =>
  orders.rows.find(({ quoteId }) => quoteId === pinned)

export const selectedOrder = (model: Model, view: View): OrderRow | undefined =>
  pinnedOrder(model, view) ?? model.orders.rows.at(-1)

/** The order `by` rows below the selected one in the list, which begins with the newest. */
export const orderBeside = (model: Model, view: View, by: number): OrderRow | undefined => {
  const { rows } = model.orders
  const selected = selectedOrder(model, view)
  if (selected === undefined) return undefined
  return rows[Math.min(rows.length - 1, Math.max(0, rows.indexOf(selected) - by))]
}

export const selectedWallet = (model: Model, view: View): WalletRow | undefined => {
  const account = view.wallet ?? selectedOrder(model, view)?.accountId
  return model.wallets.find(({ accountId }) => accountId === account) ?? model.wallets[0]
}

/** The wallet `by` places further, in a circle. */
export const walletBeside = (model: Model, view: View, by: number): WalletRow | undefined => {
  const { wallets } = model
  const selected = selectedWallet(model, view)
  return selected === undefined ? undefined : wallets.at((wallets.indexOf(selected) + by) % wallets.length)
}

/** What can be opened, oldest first: of a selected order, the events that name it. */
export const eventsOf = (model: Model, view: View): ReadonlyArray<BenchEvent> => {
  const order = pinnedOrder(model, view)
  if (order === undefined) return model.events
  const ids = [order.quoteId, ...(order.orderId === null ? [] : [order.orderId])]
  return model.events.filter((event) => {
    const text = JSON.stringify(event)
    return ids.some((id) => text.includes(id))
  })
}

/** The event `by` places after the opened one; the newest where none is open, or where the model has dropped it. */
export const eventBeside = (model: Model, view: View, by: number): BenchEvent | undefined => {
  const events = eventsOf(model, view)
  const at = view.opened === null ? -1 : events.indexOf(view.opened)
  return at === -1 ? events.at(-1) : events[Math.min(events.length - 1, Math.max(0, at + by))]
}

const ORDER: ReadonlyArray<Shown> = ["overview", ...PANES]

/** The next pane, with the overview between the last and the first. */
export const shownNext = ({ shown }: View, by: number): Shown =>
  ORDER.at((ORDER.indexOf(shown) + by) % ORDER.length) ?? "overview"
