// What stands above and below the panes: the scenario, what to watch, time, what is broken; then what the last key did, and the keys.
import { displayWidth } from "effect/cli/CliOutput"
import { Box, Text } from "ink"
import type { Unavailable } from "../events/Command.ts"
import type { Model } from "../model/Model.ts"
import { clock, column, oneLine, sentence, wrapped } from "./Format.ts"
import { KEYS, reasonAgainst } from "./KeyBindings.ts"
import { ROWS_BELOW } from "./Layout.ts"
import { Row, Styled } from "./Styled.tsx"
import type { Notice } from "./View.ts"

/** Whatever is not as it usually is, in capitals: it explains what the panes show. */
const troubles = ({ run, webhooks }: Model): string =>
  [
    run.lost === null ? "" : "CONNECTION LOST",
    run.processorUp ? "" : "PROCESSOR DOWN",
    webhooks.receiverWorks ? "" : "RECEIVER BROKEN",
    run.fulfilment === "manual" ? "MANUAL" : ""
  ]
    .filter((trouble) => trouble !== "")
    .join(" · ")

const NOTHING_PLAYS = "Nothing is playing. Press o to place an order."
const ATTACHED =
  "A running deployment, as its operator sees it: orders, credit and webhooks as they happen. Keys act on the real thing."

const watch = ({ scenario, service }: Model["run"]): string =>
  scenario?.watch ?? (service?.attached === true ? ATTACHED : NOTHING_PLAYS)

const title = ({ run: { scenario, service } }: Model): string =>
  [
    scenario === null ? "bench" : `${scenario.name}${scenario.over ? " (over)" : ""}`,
    ...(service === null ? [] : [service.attached ? service.url : `seed ${service.seed}`])
  ].join(" · ")

const rules = ({ checked }: Model["run"]): string => {
  if (checked === null) return ""
  return checked.findings === 0
    ? `✓ ${checked.rules} rules  `
    : `✗ ${checked.findings} BROKEN ${checked.findings === 1 ? "RULE" : "RULES"}  `
}

export const Header = ({
  model,
  columns,
  rows
}: {
  readonly model: Model
  readonly columns: number
  readonly rows: number
}) => {
  const { run, nowMs, startedAtMs } = model
  const trouble = troubles(model)
  const time = startedAtMs === null ? "" : clock(nowMs, startedAtMs)
  const pace = run.service?.attached === true ? "" : `${run.paused ? "‖" : "▶"} ×${run.speed}  `
  const right = `${rules(run)}${pace}${time} UTC `
  const words = oneLine(` ${title(model)}`)
  const room = columns - trouble.length - right.length - 2
  const name = displayWidth(words) > room ? column(words, room) : words
  const between = Math.max(2, columns - displayWidth(name) - trouble.length - right.length)
  const before = Math.floor(between / 2)
  return (
    <Box width={columns} height={rows} flexDirection="column" overflow="hidden">
      <Row>
        <Styled tone="strong">{name}</Styled>
        {" ".repeat(before)}
        <Styled tone="bad">{trouble}</Styled>
        {" ".repeat(between - before)}
        {right}
      </Row>
      {wrapped(oneLine(watch(run)), columns - 2).map((line) => (
        <Row key={line}> {line}</Row>
      ))}
    </Box>
  )
}

const HINTS = KEYS.filter(({ hint }) => hint !== "")
const ALWAYS = HINTS.filter(({ hint }) => ["panes", "help", "quit"].includes(hint))

/** As many hints as fit, with help and quit always among them. */
const hintsFor = (
  columns: number,
  unavailable: Unavailable
): ReadonlyArray<{ readonly label: string; readonly hint: string }> => {
  const cells = ({ label, hint }: { readonly label: string; readonly hint: string }): number =>
    label.length + hint.length + 3
  let left = columns - ALWAYS.reduce((total, key) => total + cells(key), 0)
  const others = HINTS.filter((key) => !ALWAYS.includes(key) && reasonAgainst(key, unavailable) === undefined).filter(
    (key) => {
      left -= cells(key)
      return left >= 0
    }
  )
  return [...others, ...ALWAYS]
}

export const Footer = ({
  notice,
  columns,
  unavailable
}: {
  readonly notice: Notice
  readonly columns: number
  readonly unavailable: Unavailable
}) => {
  const { ok, text } = notice
  return (
    <Box width={columns} height={ROWS_BELOW} flexDirection="column" overflow="hidden">
      <Row>
        {" "}
        <Styled tone={ok === null ? "accent" : ok ? "good" : "bad"}>{ok === null ? "›" : ok ? "✓" : "✗"}</Styled>{" "}
        {sentence(text)}
      </Row>
      <Row>
        {hintsFor(columns, unavailable).map(({ label, hint }) => (
          <Text key={label}>
            {" "}
            <Styled tone="accent">{label}</Styled> <Styled tone="quiet">{hint} </Styled>
          </Text>
        ))}
      </Row>
    </Box>
  )
}
