// What each actor is doing and what it was answered last.
import { counted } from "#core/domain/Counted.ts"
import type { Mode } from "#core/domain/DecisionContext.ts"
import type { ActorKind } from "../events/BenchEvent.ts"
import type { ActorRow, Actors } from "../model/ActorsModel.ts"
import { column, sentence } from "./Format.ts"
import type { Cell } from "./Layout.ts"
import { inside, Pane } from "./Pane.tsx"
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
const DOING_CELLS = 26
/** From here an actor's doing and answer share one row. */
const ONE_ROW_COLUMNS = 90

const kindOf = (kind: ActorKind, mode: Mode | null): string => (mode === "sandbox" ? `${KINDS[kind]} T` : KINDS[kind])

const Answer = ({ last }: Pick<ActorRow, "last">) =>
  last === null ? (
    <Styled tone="quiet">– no answer yet</Styled>
  ) : (
    <>
      <Styled tone={last.ok ? "good" : "bad"}>{last.ok ? "✓ " : "✗ "}</Styled>
      {sentence(last.answer)}
    </>
  )

const Name = ({ row: { doing, name, kind, mode } }: { readonly row: ActorRow }) => (
  <>
    <Styled tone={doing === null ? "quiet" : "busy"}>{doing === null ? "· " : "▸ "}</Styled>
    <Styled tone="strong">{column(name, NAME_CELLS)}</Styled>{" "}
    <Styled tone="quiet">{column(kindOf(kind, mode), KIND_CELLS)}</Styled>{" "}
  </>
)

const doingOf = ({ doing, last }: ActorRow): string =>
  doing === null ? `rests${last === null ? "" : ` after: ${last.action}`}` : `${doing} …`

/** Where one short row has to do, whoever is busy shows with what, and whoever rests what they were told. */
const Rest = ({
  row,
  shape,
  columns
}: {
  readonly row: ActorRow
  readonly shape: "wide" | "tight" | "tall"
  readonly columns: number
}) => {
  const answer = <Answer last={row.last} />
  if (shape === "tight") return row.doing === null ? answer : doingOf(row)
  const doing =
    shape === "wide"
      ? `${column(doingOf(row), DOING_CELLS)} `
      : `${column(doingOf(row), columns - NAME_CELLS - KIND_CELLS - 4)}\n  `
  return (
    <>
      {doing}
      {answer}
    </>
  )
}

/** Those who did something last, in the order in which they joined. */
const busiest = (rows: ReadonlyArray<ActorRow>, most: number): ReadonlyArray<ActorRow> => {
  if (rows.length <= most) return rows
  const chosen = new Set(rows.toSorted((a, b) => b.changedAtMs - a.changedAtMs).slice(0, most))
  return rows.filter((row) => chosen.has(row))
}

export const AgentsPane = ({ actors, cell }: { readonly actors: Actors; readonly cell: Cell }) => {
  const { columns, rows } = inside(cell)
  const wide = columns >= ONE_ROW_COLUMNS
  const oneRow = wide || actors.rows.length > rows / 2
  const shown = busiest(actors.rows, oneRow ? rows : Math.floor(rows / 2))
  const more = actors.present > shown.length ? `${shown.length} of ` : ""
  const aside = [`${more}${actors.present}`, counted(actors.answered, "answer"), `${actors.refused} refused`]
  return (
    <Pane cell={cell} aside={aside}>
      {shown.length === 0 && <Styled tone="quiet">Nobody is here yet.</Styled>}
      {shown.map((row) => (
        <Row key={row.actorId}>
          <Name row={row} />
          <Rest row={row} shape={wide ? "wide" : oneRow ? "tight" : "tall"} columns={columns} />
        </Row>
      ))}
    </Pane>
  )
}
