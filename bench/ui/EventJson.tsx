// One event in full, as JSON, in the place of the panes.
import { Box } from "ink"
import type { BenchEvent } from "../events/BenchEvent.ts"
import type { Model } from "../model/Model.ts"
import { clock, oneLine, wrapped } from "./Format.ts"
import { ROWS_BELOW, rowsAbove, type Screen } from "./Layout.ts"
import { startOf } from "./Pane.tsx"
import { Row, Styled } from "./Styled.tsx"
import { eventsOf, type View } from "./View.ts"

interface EventJsonProps {
  readonly event: BenchEvent
  readonly model: Model
  readonly view: View
  readonly screen: Screen
}

/** A line of JSON keeps the spaces before its first character. */
const indented = (line: string): string => `${/^ */.exec(line)?.[0] ?? ""}${oneLine(line.trimStart())}`

export const EventJson = ({ event, model, view, screen }: EventJsonProps) => {
  const rows = Math.max(1, screen.rows - rowsAbove(screen) - ROWS_BELOW - 2)
  const lines = JSON.stringify(event, null, 2)
    .split("\n")
    .flatMap((line) => wrapped(indented(line), screen.columns - 2))
  const from = Math.min(view.scrolled, Math.max(0, lines.length - rows))
  const shown = lines.slice(from, from + rows)
  const below = lines.length - from - shown.length
  const events = eventsOf(model, view)
  const place = events.indexOf(event) + 1
  return (
    <Box flexDirection="column" paddingX={1} width={screen.columns} overflow="hidden">
      <Row>
        <Styled tone="strong">{event._tag}</Styled>
        {` at ${clock(event.atMs, startOf(model))}`}
        <Styled tone="quiet">{place === 0 ? "" : `, event ${place} of ${events.length}`}</Styled>
      </Row>
      {shown.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of JSON may be alike; a line's place is its only name
        <Row key={index}>{line}</Row>
      ))}
      <Row>
        <Styled tone="quiet">{below === 0 ? "" : `${below} more lines: → scrolls`}</Styled>
      </Row>
    </Box>
  )
}
