// The complete screen, from the model, the view and the terminal's size.
import { Box, Text } from "ink"
import type { Unavailable } from "../events/Command.ts"
import type { Model } from "../model/Model.ts"
import { AgentsPane } from "./AgentsPane.tsx"
import { Footer } from "./Footer.tsx"
import { Header } from "./Header.tsx"
import { Help } from "./Help.tsx"
import { layout, MIN_SCREEN, type PaneBox, rowsAbove, type Screen } from "./Layout.ts"
import { LogPane } from "./LogPane.tsx"
import { OrdersPane } from "./OrdersPane.tsx"
import { Colour } from "./Styled.tsx"
import { TimelinePane } from "./TimelinePane.tsx"
import { pinnedOrder, selectedOrder, selectedWallet, type View } from "./View.ts"
import { WalletPane } from "./WalletPane.tsx"
import { WebhooksPane } from "./WebhooksPane.tsx"

interface PaneProps {
  readonly model: Model
  readonly view: View
  readonly box: PaneBox
}

const AnyPane = ({ model, view, box }: PaneProps) => {
  const { run, nowMs, actors, orders, wallets, webhooks, log } = model
  const startedAtMs = model.startedAtMs ?? nowMs
  const selected = selectedOrder(model, view)
  switch (box.pane) {
    case "agents":
      return <AgentsPane actors={actors} box={box} />
    case "orders": {
      const isPinned = pinnedOrder(model, view) !== undefined
      return <OrdersPane orders={orders} selected={selected} isPinned={isPinned} box={box} />
    }
    case "timeline":
      return <TimelinePane row={selected} nowMs={nowMs} startedAtMs={startedAtMs} box={box} />
    case "wallet":
      return <WalletPane wallets={wallets} wallet={selectedWallet(model, view)} startedAtMs={startedAtMs} box={box} />
    case "webhooks":
      return <WebhooksPane webhooks={webhooks} nowMs={nowMs} attached={run.service?.attached === true} box={box} />
    case "log":
      return <LogPane log={log} startedAtMs={startedAtMs} box={box} />
  }
}

interface FrameProps {
  readonly model: Model
  readonly view: View
  readonly screen: Screen
  readonly colour: boolean
  readonly unavailable: Unavailable
}

export const Frame = ({ model, view, screen, colour, unavailable }: FrameProps) => {
  const { columns, rows } = screen
  const paneColumns = layout(screen, view.shown)
  const tooSmall = `This terminal is ${columns}×${rows}; the bench needs ${MIN_SCREEN.columns}×${MIN_SCREEN.rows}. Make it larger, or press q to leave.`
  return (
    <Colour value={colour}>
      {/* As wide as the terminal is now: after it got narrower, Ink draws the last frame once more, and a long line would wrap. */}
      <Box width="100%" height={rows} flexDirection="column" overflow="hidden">
        {paneColumns === null ? (
          <Text wrap="wrap">{tooSmall}</Text>
        ) : (
          <>
            <Header model={model} rows={rowsAbove(screen)} />
            <Box flexGrow={1}>
              {view.help ? (
                <Help unavailable={unavailable} />
              ) : (
                paneColumns.map((boxes) => (
                  <Box key={boxes[0]?.pane} flexDirection="column" flexShrink={0}>
                    {boxes.map((box) => (
                      <AnyPane key={box.pane} model={model} view={view} box={box} />
                    ))}
                  </Box>
                ))
              )}
            </Box>
            <Footer notice={view.notice} unavailable={unavailable} />
          </>
        )}
      </Box>
    </Colour>
  )
}
