// Every key and every shape on one page, made from the keys themselves.
import { Box, Text } from "ink"
import type { Unavailable } from "../events/Command.ts"
import { column } from "./Format.ts"
import { KEYS, type Key, reasonAgainst } from "./KeyBindings.ts"
import { LABELS, LETTERS } from "./ProgressBar.ts"
import { Row, Styled } from "./Styled.tsx"

const LABEL_CELLS = 7
const COLUMN_CELLS = 39

/** The digits of the panes share a line, and need none each. */
const listed: ReadonlyArray<Pick<Key, "label" | "does" | "sends">> = [
  ...KEYS.filter(({ names }) => !/^[1-9]$/.test(names[0] ?? "")),
  { label: "1–6", does: "one pane alone, by its digit" }
]

const half = Math.ceil(listed.length / 2)
const columns = [listed.slice(0, half), listed.slice(half)]

const SHAPES = [
  LETTERS.map((letter, index) => `${letter} ${LABELS[index]}`).join("  "),
  "● every link is past it   ◐ some are   ○ none yet   ✕ ended there",
  "▶ your order: keys act on it   ▷ the newest: keys let the bench choose the oldest that fits"
]

const NOT_HERE = "– not to be had of a running deployment; the key says why"

export const Help = ({
  width,
  height,
  unavailable
}: {
  readonly width: number
  readonly height: number
  readonly unavailable: Unavailable
}) => (
  <Box width={width} height={height} flexDirection="column" paddingX={1} overflow="hidden">
    <Box flexShrink={0}>
      {columns.map((keys) => (
        <Box key={keys[0]?.label} flexDirection="column" width={COLUMN_CELLS} flexShrink={0}>
          {keys.map((key) => {
            const isHad = reasonAgainst(key, unavailable) === undefined
            return (
              <Row key={key.label}>
                <Styled tone={isHad ? "accent" : "quiet"}>{column(key.label, LABEL_CELLS)}</Styled>
                {isHad ? key.does : <Styled tone="quiet">{`– ${key.does}`}</Styled>}
              </Row>
            )
          })}
        </Box>
      ))}
    </Box>
    {[...(Object.keys(unavailable).length === 0 ? [] : [NOT_HERE]), ...SHAPES].map((line) => (
      <Text key={line} wrap="wrap">
        {line}
      </Text>
    ))}
  </Box>
)
