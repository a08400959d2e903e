// The whole screen as a function of the model, the view and the terminal's size.
import { Box, Text } from "ink"
import type { Unavailable } from "../events/Command.ts"
import type { Model } from "../model/Model.ts"
import { AgentsPane } from "./AgentsPane.tsx"
import { Footer, Header } from "./Header.tsx"
import { Help } from "./Help.tsx"
import { type Cell, layout, MIN_SCREEN, ROWS_BELOW, rowsAbove, type Screen } from "./Layout.ts"
import { LogPane } from "./LogPane.tsx"
import { OrdersPane } from "./OrdersPane.tsx"
import { Colour } from "./Styled.tsx"
import { TimelinePane } from "./TimelinePane.tsx"
import { pinnedOrder, selectedOrder, selectedWallet, type View } from "./View.ts"
import { WalletPane } from "./WalletPane.tsx"
import { WebhooksPane } from "./WebhooksPane.tsx"

interface Shown {
  readonly model: Model
  readonly view: View
}

const PaneIn = ({ model, view, cell }: Shown & { readonly cell: Cell }) => {
  const { run, nowMs, startedAtMs: began, actors, orders, wallets, webhooks, log } = model
  const startedAtMs = began ?? nowMs
  const selected = selectedOrder(model, view)
  switch (cell.pane) {
    case "agents":
      return <AgentsPane actors={actors} cell={cell} />
    case "orders": {
      const pinned = pinnedOrder(model, view) !== undefined
      return <OrdersPane orders={orders} selected={selected} pinned={pinned} cell={cell} />
    }
    case "timeline":
      return <TimelinePane row={selected} nowMs={nowMs} startedAtMs={startedAtMs} cell={cell} />
    case "wallet": {
      const wallet = selectedWallet(model, view)
      const place = wallet === undefined ? 0 : wallets.indexOf(wallet) + 1
      return <WalletPane wallet={wallet} place={place} of={wallets.length} startedAtMs={startedAtMs} cell={cell} />
    }
    case "webhooks":
      return <WebhooksPane webhooks={webhooks} nowMs={nowMs} attached={run.service?.attached === true} cell={cell} />
    case "log":
      return <LogPane log={log} startedAtMs={startedAtMs} cell={cell} />
  }
}

/**
 * As wide as the terminal is by now, whatever it was when the frame was made: just after a resize, the frame before is drawn once
 * more, and a line that is too long would break, and move everything up.
 */
const onScreen = (rows: number) => ({ width: "100%", height: rows, overflow: "hidden" }) as const

const TooSmall = ({ columns, rows }: Screen) => (
  <Box {...onScreen(rows)}>
    <Text wrap="wrap">
      {`This terminal is ${columns}×${rows}; the bench needs ${MIN_SCREEN.columns}×${MIN_SCREEN.rows}. Make it larger, or press q to leave.`}
    </Text>
  </Box>
)

export const Frame = ({
  model,
  view,
  screen,
  colour,
  unavailable
}: Shown & {
  readonly screen: Screen
  readonly colour: boolean
  readonly unavailable: Unavailable
}) => {
  const { columns, rows } = screen
  const places = layout(screen, view.shown)
  if (!places.fits) return <TooSmall columns={columns} rows={rows} />
  const height = rows - rowsAbove(screen) - ROWS_BELOW
  return (
    <Colour value={colour}>
      <Box {...onScreen(rows)} flexDirection="column">
        <Header model={model} columns={columns} rows={rowsAbove(screen)} />
        <Box width={columns} height={height}>
          {view.help ? (
            <Help width={columns} height={height} unavailable={unavailable} />
          ) : (
            places.cells.map((cell) => <PaneIn key={cell.pane} model={model} view={view} cell={cell} />)
          )}
        </Box>
        <Footer notice={view.notice} columns={columns} unavailable={unavailable} />
      </Box>
    </Colour>
  )
}
