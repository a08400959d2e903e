// The complete screen, from the model, the view and the terminal's size.
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import type { Unavailable } from "../events/Command.ts"
import type { Model } from "../model/Model.ts"
import { AgentsPane } from "./AgentsPane.tsx"
import { EventJson } from "./EventJson.tsx"
import { Footer } from "./Footer.tsx"
import { Header } from "./Header.tsx"
import { Help } from "./Help.tsx"
import { layout, MIN_SCREEN, type PaneName, rowsAbove, type Screen } from "./Layout.ts"
import { LogPane } from "./LogPane.tsx"
import { OrdersPane } from "./OrdersPane.tsx"
import type { PaneProps } from "./Pane.tsx"
import { Colour } from "./Styled.tsx"
import { TimelinePane } from "./TimelinePane.tsx"
import type { View } from "./View.ts"
import { WalletPane } from "./WalletPane.tsx"
import { WebhooksPane } from "./WebhooksPane.tsx"

const COMPONENTS: Readonly<Record<PaneName, (props: PaneProps) => ReactNode>> = {
  agents: AgentsPane,
  orders: OrdersPane,
  timeline: TimelinePane,
  wallet: WalletPane,
  webhooks: WebhooksPane,
  log: LogPane
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
      {/* The width of the terminal now: after it got narrower, Ink draws the last frame once more, and a long line would wrap. */}
      <Box width="100%" height={rows} flexDirection="column" overflow="hidden">
        {paneColumns === null ? (
          <Text wrap="wrap">{tooSmall}</Text>
        ) : (
          <>
            <Header model={model} rows={rowsAbove(screen)} />
            <Box flexGrow={1}>
              {view.help ? (
                <Help unavailable={unavailable} />
              ) : view.opened !== null ? (
                <EventJson event={view.opened} model={model} view={view} screen={screen} />
              ) : (
                paneColumns.map((boxes) => (
                  <Box key={boxes[0]?.pane} flexDirection="column" flexShrink={0}>
                    {boxes.map((box) => {
                      const Component = COMPONENTS[box.pane]
                      return <Component key={box.pane} model={model} view={view} box={box} />
                    })}
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
