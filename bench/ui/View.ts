// What a person has on the screen: which panes, which order, the last thing a key did. Knows which rows are selected; changes
// nothing but the view.
import type { Model } from "../model/Model.ts"
import type { OrderRow } from "../model/OrdersModel.ts"
import type { WalletRow } from "../model/WalletsModel.ts"
import { PANES, type Shown } from "./Layout.ts"

export interface View {
  readonly shown: Shown
  readonly help: boolean
  /** The quote that was selected; `null` follows the newest. */
  readonly pinned: string | null
  /** The account whose wallet was selected; `null` follows the selected order. */
  readonly wallet: string | null
  readonly notice: Notice
}

/** What the last key did. `ok` is `null` while that is not known. */
export interface Notice {
  readonly ok: boolean | null
  readonly text: string
}

export const firstView: View = {
  shown: "overview",
  help: false,
  pinned: null,
  wallet: null,
  notice: { ok: null, text: "Press ? for the keys." }
}

/** The pinned order as long as it is remembered. */
export const pinnedOrder = ({ orders }: Model, { pinned }: View): OrderRow | undefined =>
  orders.rows.find(({ quoteId }) => quoteId === pinned)

/** The order whose timeline is shown. */
export const selectedOrder = (model: Model, view: View): OrderRow | undefined =>
  pinnedOrder(model, view) ?? model.orders.rows.at(-1)

/** The order that stands `by` rows below the selected one in the list, which begins with the newest. */
export const orderBeside = (model: Model, view: View, by: number): OrderRow | undefined => {
  const { rows } = model.orders
  const selected = selectedOrder(model, view)
  if (selected === undefined) return undefined
  const index = rows.indexOf(selected)
  return rows[Math.min(rows.length - 1, Math.max(0, index - by))]
}

export const selectedWallet = (model: Model, view: View): WalletRow | undefined => {
  const account = view.wallet ?? selectedOrder(model, view)?.accountId
  return model.wallets.find(({ accountId }) => accountId === account) ?? model.wallets[0]
}

/** The wallet `by` places further, round and round. */
export const walletBeside = (model: Model, view: View, by: number): WalletRow | undefined => {
  const { wallets } = model
  const selected = selectedWallet(model, view)
  if (selected === undefined) return undefined
  const index = wallets.indexOf(selected)
  return wallets.at((index + by) % wallets.length)
}

const ORDER: ReadonlyArray<Shown> = ["overview", ...PANES]

/** The next pane, with the overview between the last and the first. */
export const shownNext = ({ shown }: View, by: number): Shown =>
  ORDER.at((ORDER.indexOf(shown) + by) % ORDER.length) ?? "overview"
