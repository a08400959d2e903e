// One account's prepaid credit: its amounts, their history as a graph, and the last ledger entries.
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MovementKind } from "#core/domain/wallet/Ledger.ts"
import type { LedgerRow } from "../model/WalletsModel.ts"
import { CLOCK_CELLS, clock, column, columnRight, euros, shortId } from "./Format.ts"
import { graph } from "./Graph.ts"
import { inside, Pane, type PaneProps, startOf } from "./Pane.tsx"
import { type Mark, Row, Styled } from "./Styled.tsx"
import { selectedWallet } from "./View.ts"

const KIND_CELLS = 12
const AMOUNT_CELLS = 9
/** From here the graph is three rows high. */
const ROWS_FOR_TALL_GRAPH = 11

/** The effect on free credit. */
const SIGNS: Readonly<Record<MovementKind, Mark>> = {
  top_up: { mark: "+", tone: "good" },
  late_payment: { mark: "+", tone: "good" },
  recredit: { mark: "+", tone: "good" },
  adjustment: { mark: "−", tone: "bad" },
  adjustment_reversed: { mark: "+", tone: "good" },
  hold: { mark: "−", tone: "busy" },
  release: { mark: "+", tone: "good" },
  capture: { mark: "−", tone: "plain" }
}

/** A capture that ends a hold leaves free credit as it is, because the hold had taken it. */
const signOf = ({ kind, heldDeltaCents }: LedgerRow): Mark =>
  kind === "capture" && heldDeltaCents < 0 ? { mark: "=", tone: "plain" } : SIGNS[kind]

const Entry = ({ entry, startedAtMs }: { readonly entry: LedgerRow; readonly startedAtMs: Millis }) => {
  const { kind, amountCents, availableCents, about, atMs } = entry
  const { mark, tone } = signOf(entry)
  return (
    <Row>
      <Styled tone="quiet">{column(clock(atMs, startedAtMs), CLOCK_CELLS)}</Styled>{" "}
      {column(kind.replace("_", " "), KIND_CELLS)}
      <Styled tone={tone}>{columnRight(`${mark} ${euros(amountCents)}`, AMOUNT_CELLS)}</Styled>
      {columnRight(euros(availableCents), AMOUNT_CELLS)}
      <Styled tone="quiet">{` ${about === null ? "" : shortId(about)}`}</Styled>
    </Row>
  )
}

export const WalletPane = ({ model, view, box }: PaneProps) => {
  const { wallets } = model
  const wallet = selectedWallet(model, view)
  const { columns, rows } = inside(box)
  if (wallet === undefined)
    return (
      <Pane box={box}>
        <Styled tone="quiet">No wallet yet.</Styled>
      </Pane>
    )
  const { name, balanceCents, heldCents, availableCents, history, ledger } = wallet
  const position = wallets.length > 1 ? [`${wallets.indexOf(wallet) + 1} of ${wallets.length}: h l`] : []
  const graphRows = rows >= ROWS_FOR_TALL_GRAPH ? 3 : 1
  const graphColumns = columns - AMOUNT_CELLS - 1
  const max = Math.max(0, ...history.slice(-graphColumns))
  return (
    <Pane box={box} summary={[name, ...position]}>
      <Row>
        <Styled tone="strong">{euros(availableCents)}</Styled>
        {` free = ${euros(balanceCents)} balance − ${euros(heldCents)} held`}
      </Row>
      {graph(history, graphColumns, graphRows).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a graph's rows have no other name than their place
        <Row key={index}>
          <Styled tone="quiet">{columnRight(index === 0 ? euros(max) : "", AMOUNT_CELLS)}</Styled>{" "}
          <Styled tone="accent">{line}</Styled>
        </Row>
      ))}
      <Row>
        <Styled tone="quiet">
          {`${column("when", CLOCK_CELLS)} ${column("entry", KIND_CELLS)}${columnRight("EUR", AMOUNT_CELLS)}${columnRight("free", AMOUNT_CELLS)} for`}
        </Styled>
      </Row>
      {ledger.slice(-Math.max(1, rows - graphRows - 2)).map((entry) => (
        <Entry key={entry.entryId} entry={entry} startedAtMs={startOf(model)} />
      ))}
    </Pane>
  )
}
