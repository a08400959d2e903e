// One account's prepaid credit: what it has, holds and may spend, how that came to be, and the ledger's last entries.
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { MovementKind } from "#core/domain/Wallet.ts"
import type { LedgerRow, WalletRow } from "../model/WalletsModel.ts"
import { CLOCK_CELLS, clock, column, columnRight, euros, shortId } from "./Format.ts"
import { graph } from "./Graph.ts"
import type { Cell } from "./Layout.ts"
import { inside, Pane } from "./Pane.tsx"
import { Row, Styled, type Tone } from "./Styled.tsx"

const KIND_CELLS = 12
const AMOUNT_CELLS = 9
/** From here the graph is three rows high. */
const ROWS_FOR_TALL_GRAPH = 11

/** What an entry does to the credit that can be spent, as a sign; a capture ends a hold, which took it before. */
const SIGNS: Readonly<Record<MovementKind, { readonly sign: string; readonly tone: Tone }>> = {
  top_up: { sign: "+", tone: "good" },
  late_payment: { sign: "+", tone: "good" },
  recredit: { sign: "+", tone: "good" },
  hold: { sign: "−", tone: "busy" },
  release: { sign: "+", tone: "good" },
  capture: { sign: "=", tone: "plain" }
}

const Entry = ({ entry, startedAtMs }: { readonly entry: LedgerRow; readonly startedAtMs: Millis }) => {
  const { kind, amountCents, availableCents, about, atMs } = entry
  const { sign, tone } = SIGNS[kind]
  return (
    <Row>
      <Styled tone="quiet">{column(clock(atMs, startedAtMs), CLOCK_CELLS)}</Styled>{" "}
      {column(kind.replace("_", " "), KIND_CELLS)}
      <Styled tone={tone}>{columnRight(`${sign} ${euros(amountCents)}`, AMOUNT_CELLS)}</Styled>
      {columnRight(euros(availableCents), AMOUNT_CELLS)}
      <Styled tone="quiet">{` ${about === null ? "" : shortId(about)}`}</Styled>
    </Row>
  )
}

export const WalletPane = ({
  wallet,
  place,
  of,
  startedAtMs,
  cell
}: {
  readonly wallet: WalletRow | undefined
  /** Which of how many wallets it is, from 1. */
  readonly place: number
  readonly of: number
  readonly startedAtMs: Millis
  readonly cell: Cell
}) => {
  const { columns, rows } = inside(cell)
  if (wallet === undefined)
    return (
      <Pane cell={cell} aside={[]}>
        <Styled tone="quiet">No wallet yet.</Styled>
      </Pane>
    )
  const { name, balanceCents, heldCents, availableCents, history, ledger } = wallet
  const height = rows >= ROWS_FOR_TALL_GRAPH ? 3 : 1
  const drawn = graph(history, columns - AMOUNT_CELLS - 1, height)
  const most = Math.max(0, ...history.slice(-(columns - AMOUNT_CELLS - 1)))
  return (
    <Pane cell={cell} aside={[name, ...(of > 1 ? [`${place} of ${of}: h l`] : [])]}>
      <Row>
        <Styled tone="strong">{euros(availableCents)}</Styled>
        {` free = ${euros(balanceCents)} balance − ${euros(heldCents)} held`}
      </Row>
      {drawn.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a graph's rows have no other name than their place
        <Row key={index}>
          <Styled tone="quiet">{columnRight(index === 0 ? euros(most) : "", AMOUNT_CELLS)}</Styled>{" "}
          <Styled tone="accent">{line}</Styled>
        </Row>
      ))}
      <Row>
        <Styled tone="quiet">
          {`${column("when", CLOCK_CELLS)} ${column("entry", KIND_CELLS)}${columnRight("EUR", AMOUNT_CELLS)}${columnRight("free", AMOUNT_CELLS)} for`}
        </Styled>
      </Row>
      {ledger.slice(-Math.max(1, rows - height - 2)).map((entry) => (
        <Entry key={entry.entryId} entry={entry} startedAtMs={startedAtMs} />
      ))}
    </Pane>
  )
}
