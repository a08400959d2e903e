// The log's last lines, newest at the foot.
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { LogLine } from "../model/LogModel.ts"
import { CLOCK_CELLS, clock, column, sentence } from "./Format.ts"
import type { Cell } from "./Layout.ts"
import { inside, Pane } from "./Pane.tsx"
import { Row, Styled, type Tone } from "./Styled.tsx"

const LEVELS: Readonly<Record<LogLine["level"], { readonly mark: string; readonly tone: Tone }>> = {
  info: { mark: "·", tone: "quiet" },
  warning: { mark: "!", tone: "busy" },
  error: { mark: "✗", tone: "bad" }
}

export const LogPane = ({
  log,
  startedAtMs,
  cell
}: {
  readonly log: ReadonlyArray<LogLine>
  readonly startedAtMs: Millis
  readonly cell: Cell
}) => {
  const shown = log.slice(-inside(cell).rows)
  return (
    <Pane cell={cell} aside={[]}>
      {shown.map(({ atMs, level, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same line may be logged twice; its place is its only name
        <Row key={index}>
          <Styled tone="quiet">{column(clock(atMs, startedAtMs), CLOCK_CELLS)}</Styled>{" "}
          <Styled tone={LEVELS[level].tone}>{LEVELS[level].mark}</Styled> {sentence(text)}
        </Row>
      ))}
    </Pane>
  )
}
