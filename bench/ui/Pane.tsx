// The frame around a pane: where the layout puts it, its name and digit, and a word about the whole. The rows inside are others'.
import { displayWidth } from "effect/cli/CliOutput"
import { Box } from "ink"
import type { ReactNode } from "react"
import { cut } from "#adapters/operator/cli/Cells.ts"
import { oneLine } from "./Format.ts"
import { type Cell, PANES, type PaneName } from "./Layout.ts"
import { Row, Styled } from "./Styled.tsx"

export const TITLES: Readonly<Record<PaneName, string>> = {
  agents: "Agents",
  orders: "Orders",
  timeline: "Timeline",
  wallet: "Wallet",
  webhooks: "Webhooks",
  log: "Log"
}

/** The digit that shows the pane alone. */
const digitOf = (pane: PaneName): string => String(PANES.indexOf(pane) + 1)

/** Cells inside the frame. */
export const inside = ({ width, height }: Cell): { readonly columns: number; readonly rows: number } => ({
  columns: width - 2,
  rows: height - 2
})

/** Cells of the upper edge that are neither words nor the rule between them. */
const EDGES = 6

export const Pane = ({
  cell,
  aside,
  children
}: {
  readonly cell: Cell
  /** A few words each, at the right end of the upper edge: the first ones, as many as fit, and of the very first what fits. */
  readonly aside: ReadonlyArray<string>
  readonly children: ReactNode
}) => {
  const { pane, left, top, width, height } = cell
  const title = `${digitOf(pane)} ${TITLES[pane]}`
  const room = width - title.length - EDGES
  const first = aside.slice(0, 1).map((text) => `${cut(oneLine(` ${text}`), room - 1)} `)
  const several = aside.map((_, index) => oneLine(` ${aside.slice(0, index + 1).join(" · ")} `))
  const words = [...first, ...several].findLast((text) => displayWidth(text) <= room) ?? ""
  const rule = "─".repeat(Math.max(0, room - displayWidth(words)))
  return (
    <Box
      position="absolute"
      left={left}
      top={top}
      width={width}
      height={height}
      flexDirection="column"
      overflow="hidden"
    >
      <Box width={width} height={height} flexDirection="column" borderStyle="round" borderDimColor overflow="hidden">
        {children}
      </Box>
      <Box position="absolute" left={1} top={0} width={width - 2} height={1}>
        <Row>
          <Styled tone="quiet">─ </Styled>
          <Styled tone="strong">{title}</Styled>
          <Styled tone="quiet">{` ${rule}${words}─`}</Styled>
        </Row>
      </Box>
    </Box>
  )
}
