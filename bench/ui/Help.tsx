// The help: every key, made from the key bindings, and the meaning of the shapes.
import { Box, Text } from "ink"
import type { Unavailable } from "../events/Command.ts"
import { column } from "./Format.ts"
import { KEYS, type KeyBinding, reasonAgainst } from "./KeyBindings.ts"
import { LABELS, LETTERS } from "./ProgressBar.ts"
import { Row, Styled } from "./Styled.tsx"

const LABEL_CELLS = 7
const COLUMN_CELLS = 39

/** The digits of the panes share a row. */
const listed: ReadonlyArray<Pick<KeyBinding, "label" | "description" | "sends">> = [
  ...KEYS.filter(({ label }) => !/^[1-9]$/.test(label)),
  { label: "1–6", description: "one pane alone, by its digit" }
]

const half = Math.ceil(listed.length / 2)

const SHAPES = [
  LETTERS.map((letter, index) => `${letter} ${LABELS[index]}`).join("  "),
  "● every link is past it   ◐ some are   ○ none yet   ✕ ended there",
  "▶ your order: keys act on it   ▷ the newest: keys take the oldest that fits"
]

const NOT_HERE = "– not available on a running deployment; the key says why"

export const Help = ({ unavailable }: { readonly unavailable: Unavailable }) => (
  <Box flexDirection="column" paddingX={1} overflow="hidden">
    <Box flexShrink={0}>
      {[listed.slice(0, half), listed.slice(half)].map((keys) => (
        <Box key={keys[0]?.label} flexDirection="column" width={COLUMN_CELLS} flexShrink={0}>
          {keys.map((key) => {
            const isAvailable = reasonAgainst(key, unavailable) === undefined
            return (
              <Row key={key.label}>
                <Styled tone={isAvailable ? "accent" : "quiet"}>{column(key.label, LABEL_CELLS)}</Styled>
                {isAvailable ? key.description : <Styled tone="quiet">{`– ${key.description}`}</Styled>}
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
