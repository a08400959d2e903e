// The rows above the panes: the scenario, what is broken, the time, and what to watch.
import { Box, Text } from "ink"
import type { Model } from "../model/Model.ts"
import { clock, oneLine } from "./Format.ts"
import { Row, Styled } from "./Styled.tsx"

/** Unusual states, in capitals: they explain what the panes show. */
const troubles = ({ run, webhooks }: Model): string =>
  [
    run.lost === null ? "" : "CONNECTION LOST",
    run.processorUp ? "" : "PROCESSOR DOWN",
    webhooks.receiverWorks ? "" : "RECEIVER BROKEN",
    run.fulfilment === "manual" ? "MANUAL" : ""
  ]
    .filter((trouble) => trouble !== "")
    .join(" · ")

const NOTHING_RUNS = "Nothing is playing. Press o to place an order."
const ATTACHED =
  "A running deployment, as its operator sees it: orders, credit and webhooks as they happen. Keys act on the real thing."

const title = ({ scenario, service }: Model["run"]): string =>
  [
    scenario === null ? "bench" : `${scenario.name}${scenario.over ? " (over)" : ""}`,
    ...(service === null ? [] : [service.attached ? service.url : `seed ${service.seed}`])
  ].join(" · ")

const checkResult = ({ checked }: Model["run"]): string => {
  if (checked === null) return ""
  const { rules, violations } = checked
  return violations === 0 ? `✓ ${rules} rules  ` : `✗ ${violations} BROKEN ${violations === 1 ? "RULE" : "RULES"}  `
}

const figure = (speed: number): string =>
  speed < 10 ? speed.toFixed(1).replace(/\.0$/, "") : String(Math.round(speed))

/** The speed that is had, beside the one that was asked for. */
const speedText = ({ paused, skipping, speed, had }: Model["run"]): string => {
  if (paused) return `‖ ×${speed}  `
  if (skipping) return "▶▶ nothing happens: skipped  "
  return had === null ? `▶ ×${speed}  ` : `▶ ×${figure(had)} of ×${speed}  `
}

/** Wrapped between words: Ink's own wrapping begins a row with a space where the row before is full. */
const Words = ({ text }: { readonly text: string }) => (
  <Box flexWrap="wrap" columnGap={1}>
    {text.split(" ").map((word, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a word may come twice; its place is its only name
      <Text key={index}>{word}</Text>
    ))}
  </Box>
)

export const Header = ({ model, rows }: { readonly model: Model; readonly rows: number }) => {
  const { run, nowMs, startedAtMs } = model
  const isAttached = run.service?.attached === true
  const speed = isAttached ? "" : speedText(run)
  const time = startedAtMs === null ? "" : clock(nowMs, startedAtMs)
  return (
    <Box height={rows} flexDirection="column" overflow="hidden" paddingX={1}>
      <Box justifyContent="space-between" gap={2} flexShrink={0}>
        <Row>
          <Styled tone="strong">{oneLine(title(run))}</Styled>
        </Row>
        <Box flexShrink={0}>
          <Styled tone="bad">{troubles(model)}</Styled>
        </Box>
        <Box flexShrink={0}>
          <Text>{`${checkResult(run)}${speed}${time} UTC`}</Text>
        </Box>
      </Box>
      <Words text={oneLine(run.scenario?.watch ?? (isAttached ? ATTACHED : NOTHING_RUNS))} />
    </Box>
  )
}
