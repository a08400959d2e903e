// The frame around a pane's rows: its border, with the pane's digit and title and a summary in the upper edge.
import { displayWidth } from "effect/cli/CliOutput"
import { Box } from "ink"
import type { ReactNode } from "react"
import { truncate } from "#adapters/cli/TerminalText.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { Model } from "../model/Model.ts"
import { oneLine } from "./Format.ts"
import { PANES, type PaneBox, TITLES } from "./Layout.ts"
import { Row, Styled } from "./Styled.tsx"
import type { View } from "./View.ts"

/** Every pane draws what it needs of the model and the view. */
export interface PaneProps {
  readonly model: Model
  readonly view: View
  readonly box: PaneBox
}

/** The start of the run, from which clocks count days. */
export const startOf = ({ startedAtMs, nowMs }: Model): Millis => startedAtMs ?? nowMs

/** Cells inside the border. */
export const inside = ({ width, height }: PaneBox): { readonly columns: number; readonly rows: number } => ({
  columns: width - 2,
  rows: height - 2
})

/** Cells of the upper edge besides title, rule and summary. */
const EDGE_CELLS = 6

/** The leading words that fit; a first word that is too long is truncated. */
const summaryIn = (words: ReadonlyArray<string>, cells: number): string => {
  const first = words.slice(0, 1).map((text) => `${truncate(oneLine(` ${text}`), cells - 1)} `)
  const several = words.map((_, index) => oneLine(` ${words.slice(0, index + 1).join(" · ")} `))
  return [...first, ...several].findLast((text) => displayWidth(text) <= cells) ?? ""
}

export const Pane = ({
  box: { pane, width, height },
  summary = [],
  children
}: {
  readonly box: PaneBox
  readonly summary?: ReadonlyArray<string>
  readonly children: ReactNode
}) => {
  const title = `${PANES.indexOf(pane) + 1} ${TITLES[pane]}`
  const cells = width - title.length - EDGE_CELLS
  const words = summaryIn(summary, cells)
  const rule = "─".repeat(Math.max(0, cells - displayWidth(words)))
  return (
    <Box width={width} height={height} flexDirection="column" overflow="hidden">
      <Box>
        <Box width={width - 1}>
          <Row>
            <Styled tone="quiet">╭─ </Styled>
            <Styled tone="strong">{title}</Styled>
            <Styled tone="quiet">{` ${rule}${words}─`}</Styled>
          </Row>
        </Box>
        <Styled tone="quiet">╮</Styled>
      </Box>
      <Box flexGrow={1} flexDirection="column" borderStyle="round" borderTop={false} borderDimColor overflow="hidden">
        {children}
      </Box>
    </Box>
  )
}
