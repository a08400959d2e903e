// The log's last lines, newest at the foot.
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { LogLine } from "../ModelLog.ts"
import type { Cell } from "./Layout.ts"
import { inside, Pane } from "./Pane.tsx"
import { Row, Tint, type Tone } from "./Tint.tsx"
import { CLOCK_CELLS, clock, column, sentence } from "./Words.ts"

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
          <Tint tone="quiet">{column(clock(atMs, startedAtMs), CLOCK_CELLS)}</Tint>{" "}
          <Tint tone={LEVELS[level].tone}>{LEVELS[level].mark}</Tint> {sentence(text)}
        </Row>
      ))}
    </Pane>
  )
}
