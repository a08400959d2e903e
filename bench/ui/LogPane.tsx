// The log's last lines, newest at the bottom.
import type { LogLine } from "../model/LogModel.ts"
import { CLOCK_CELLS, clock, column, sentence } from "./Format.ts"
import { inside, Pane, type PaneProps, startOf } from "./Pane.tsx"
import { type Mark, Row, Styled } from "./Styled.tsx"

const LEVELS: Readonly<Record<LogLine["level"], Mark>> = {
  info: { mark: "·", tone: "quiet" },
  warning: { mark: "!", tone: "busy" },
  error: { mark: "✗", tone: "bad" }
}

export const LogPane = ({ model, box }: PaneProps) => (
  <Pane box={box}>
    {model.log.slice(-inside(box).rows).map(({ atMs, level, text, times }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same line may be logged twice; its place is its only name
      <Row key={index}>
        <Styled tone="quiet">{column(clock(atMs, startOf(model)), CLOCK_CELLS)}</Styled>{" "}
        <Styled tone={LEVELS[level].tone}>{LEVELS[level].mark}</Styled> {times === 1 ? "" : `${times}× `}
        {sentence(text)}
      </Row>
    ))}
  </Pane>
)
