// The log's last lines, newest at the bottom.
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { LogLine } from "../model/LogModel.ts"
import { CLOCK_CELLS, clock, column, sentence } from "./Format.ts"
import type { PaneBox } from "./Layout.ts"
import { inside, Pane } from "./Pane.tsx"
import { type Mark, Row, Styled } from "./Styled.tsx"

const LEVELS: Readonly<Record<LogLine["level"], Mark>> = {
  info: { mark: "·", tone: "quiet" },
  warning: { mark: "!", tone: "busy" },
  error: { mark: "✗", tone: "bad" }
}

interface LogPaneProps {
  readonly log: ReadonlyArray<LogLine>
  readonly startedAtMs: Millis
  readonly box: PaneBox
}

export const LogPane = ({ log, startedAtMs, box }: LogPaneProps) => (
  <Pane box={box}>
    {log.slice(-inside(box).rows).map(({ atMs, level, text }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same line may be logged twice; its place is its only name
      <Row key={index}>
        <Styled tone="quiet">{column(clock(atMs, startedAtMs), CLOCK_CELLS)}</Styled>{" "}
        <Styled tone={LEVELS[level].tone}>{LEVELS[level].mark}</Styled> {sentence(text)}
      </Row>
    ))}
  </Pane>
)
