// The rows below the panes: the result of the last key, and hints for as many keys as fit.
import { Box, Text } from "ink"
import type { Unavailable } from "../events/Command.ts"
import { sentence } from "./Format.ts"
import { KEYS, type KeyBinding, reasonAgainst } from "./KeyBindings.ts"
import { ROWS_BELOW } from "./Layout.ts"
import { Row, Styled } from "./Styled.tsx"
import type { Notice } from "./View.ts"

const HINTS = KEYS.filter(({ hint }) => hint !== "")
const ALWAYS = HINTS.filter(({ hint }) => ["panes", "help", "quit"].includes(hint))
const OTHERS = HINTS.filter((key) => !ALWAYS.includes(key))

const Hints = ({ keys }: { readonly keys: ReadonlyArray<KeyBinding> }) =>
  keys.map(({ label, hint }) => (
    <Text key={label}>
      {" "}
      <Styled tone="accent">{label}</Styled> <Styled tone="quiet">{hint} </Styled>
    </Text>
  ))

export const Footer = ({
  notice: { ok, text },
  unavailable
}: {
  readonly notice: Notice
  readonly unavailable: Unavailable
}) => (
  <Box height={ROWS_BELOW} flexDirection="column" overflow="hidden">
    <Row>
      {" "}
      <Styled tone={ok === null ? "accent" : ok ? "good" : "bad"}>{ok === null ? "›" : ok ? "✓" : "✗"}</Styled>{" "}
      {sentence(text)}
    </Row>
    <Box height={1}>
      <Box height={1} flexShrink={1} flexWrap="wrap" overflow="hidden">
        <Hints keys={OTHERS.filter((key) => reasonAgainst(key, unavailable) === undefined)} />
      </Box>
      <Box flexShrink={0}>
        <Hints keys={ALWAYS} />
      </Box>
    </Box>
  </Box>
)
