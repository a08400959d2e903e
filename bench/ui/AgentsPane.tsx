// What each actor is doing, and its last result.
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { ActorKind } from "../events/BenchEvent.ts"
import type { ActorRow } from "../model/ActorsModel.ts"
import { column, sentence } from "./Format.ts"
import { inside, Pane, type PaneProps } from "./Pane.tsx"
import { Row, Styled } from "./Styled.tsx"

const KINDS: Readonly<Record<ActorKind, string>> = {
  agent: "REST",
  "mcp-agent": "MCP",
  buyer: "agent",
  payer: "payer",
  publisher: "publisher",
  receiver: "receiver",
  operator: "operator"
}

const NAME_CELLS = 12
const KIND_CELLS = 9
const ACTION_CELLS = 26
/** From here an actor's action and result share one row. */
const WIDE_COLUMNS = 90

const Name = ({ row: { doing, name, kind, mode } }: { readonly row: ActorRow }) => (
  <>
    <Styled tone={doing === null ? "quiet" : "busy"}>{doing === null ? "· " : "▸ "}</Styled>
    <Styled tone="strong">{column(name, NAME_CELLS)}</Styled>{" "}
    <Styled tone="quiet">{column(mode === "sandbox" ? `${KINDS[kind]} T` : KINDS[kind], KIND_CELLS)}</Styled>{" "}
  </>
)

const actionOf = ({ doing, last }: ActorRow): string =>
  doing === null ? `rests${last === null ? "" : ` after: ${last.action}`}` : `${doing} …`

const Result = ({ row: { last } }: { readonly row: ActorRow }) =>
  last === null ? (
    <Styled tone="quiet">– no answer yet</Styled>
  ) : (
    <>
      <Styled tone={last.ok ? "good" : "bad"}>{last.ok ? "✓ " : "✗ "}</Styled>
      {sentence(last.answer)}
    </>
  )

/** Wide: both in one row. Tall: both in two rows. Short: in one row the action of a busy actor, the result of an idle one. */
type Shape = "wide" | "tall" | "short"

const Activity = ({
  row,
  shape,
  columns
}: {
  readonly row: ActorRow
  readonly shape: Shape
  readonly columns: number
}) => {
  if (shape === "short") return row.doing === null ? <Result row={row} /> : actionOf(row)
  const action =
    shape === "wide"
      ? `${column(actionOf(row), ACTION_CELLS)} `
      : `${column(actionOf(row), columns - NAME_CELLS - KIND_CELLS - 4)}\n  `
  return (
    <>
      {action}
      <Result row={row} />
    </>
  )
}

/** The `max` rows that changed last, in the order in which they joined. */
const latest = (rows: ReadonlyArray<ActorRow>, max: number): ReadonlyArray<ActorRow> => {
  const chosen = new Set(rows.toSorted((a, b) => b.changedAtMs - a.changedAtMs).slice(0, max))
  return rows.filter((row) => chosen.has(row))
}

export const AgentsPane = ({ model: { actors }, box }: PaneProps) => {
  const { columns, rows } = inside(box)
  const shape: Shape = columns >= WIDE_COLUMNS ? "wide" : actors.rows.length > rows / 2 ? "short" : "tall"
  const shown = latest(actors.rows, shape === "tall" ? Math.floor(rows / 2) : rows)
  const of = actors.present > shown.length ? `${shown.length} of ` : ""
  const summary = [`${of}${actors.present}`, counted(actors.answered, "answer"), `${actors.refused} refused`]
  return (
    <Pane box={box} summary={summary}>
      {shown.length === 0 && <Styled tone="quiet">No agents yet.</Styled>}
      {shown.map((row) => (
        <Row key={row.actorId}>
          <Name row={row} />
          <Activity row={row} shape={shape} columns={columns} />
        </Row>
      ))}
    </Pane>
  )
}
