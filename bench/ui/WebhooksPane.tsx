// Webhooks: how each endpoint fares, and every delivery with its attempts and what the receiver made of the signature.
import { counted } from "#core/domain/Counted.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { AttemptSeen, DeliveryRow, EndpointRow, Webhooks } from "../model/WebhooksModel.ts"
import { column, oneLine, shortId, until } from "./Format.ts"
import type { Cell } from "./Layout.ts"
import { inside, Pane } from "./Pane.tsx"
import { Row, Styled, type Tone } from "./Styled.tsx"

const EVENT_CELLS = 15
const ID_CELLS = 12
const COLUMNS_FOR_IDS = 60
const ATTEMPT_CELLS = 6
const OUTCOME_CELLS = 17
const SIGNATURE_CELLS = 7

const HEALTH: Readonly<Record<EndpointRow["status"], { readonly mark: string; readonly tone: Tone }>> = {
  active: { mark: "●", tone: "good" },
  failing: { mark: "◐", tone: "busy" },
  disabled: { mark: "✗", tone: "bad" },
  revoked: { mark: "○", tone: "quiet" }
}

const STATES: Readonly<Record<DeliveryRow["state"], { readonly mark: string; readonly tone: Tone }>> = {
  pending: { mark: "…", tone: "busy" },
  delivered: { mark: "✓", tone: "good" },
  failed: { mark: "✗", tone: "bad" },
  dropped: { mark: "○", tone: "quiet" }
}

/** One mark an attempt, the last at the right. */
const attemptMarks = (attempts: ReadonlyArray<AttemptSeen>): string =>
  attempts
    .slice(-ATTEMPT_CELLS)
    .map(({ fault }) => (fault === null ? "✓" : "✗"))
    .join("")

const outcome = ({ attempts, state }: DeliveryRow): string => {
  const last = attempts.at(-1)
  if (last === undefined) return state === "pending" ? "" : state
  return last.httpStatus === null ? (last.fault ?? "").replace("_", " ") : `HTTP ${last.httpStatus}`
}

const signature = ({ received, verified }: DeliveryRow): { readonly words: string; readonly tone: Tone } => {
  if (received === 0) return { words: "–", tone: "quiet" }
  const times = received > 1 ? ` ×${received}` : ""
  return verified ? { words: `✓${times}`, tone: "good" } : { words: `✗${times}`, tone: "bad" }
}

const Delivery = ({
  row,
  nowMs,
  idCells
}: {
  readonly row: DeliveryRow
  readonly nowMs: Millis
  readonly idCells: number
}) => {
  const { mark, tone } = STATES[row.state]
  const sign = signature(row)
  const next =
    row.nextAttemptAtMs === null ? "" : row.nextAttemptAtMs <= nowMs ? "due" : `in ${until(row.nextAttemptAtMs, nowMs)}`
  return (
    <Row>
      <Styled tone={tone}>{mark}</Styled> {column(row.event, EVENT_CELLS)}{" "}
      <Styled tone="quiet">{column(shortId(row.eventId), idCells)}</Styled>
      {column(attemptMarks(row.attempts), ATTEMPT_CELLS)}{" "}
      <Styled tone={sign.tone}>{column(sign.words, SIGNATURE_CELLS)}</Styled>
      {column(next === "" ? outcome(row) : `${next} ${outcome(row)}`, OUTCOME_CELLS)}
    </Row>
  )
}

const Endpoint = ({ row }: { readonly row: EndpointRow }) => {
  const { mark, tone } = HEALTH[row.status]
  const failures = row.consecutiveFailures === 0 ? "" : ` ${counted(row.consecutiveFailures, "failure")} in a row`
  return (
    <Row>
      <Styled tone={tone}>{mark}</Styled> {row.status}
      {failures} <Styled tone="quiet">{oneLine(row.url)}</Styled>
    </Row>
  )
}

/** The living first: they are what there is to see when not all fit. */
const bySignificance = (endpoints: ReadonlyArray<EndpointRow>): ReadonlyArray<EndpointRow> =>
  endpoints.toSorted((a, b) => Number(a.status === "revoked") - Number(b.status === "revoked"))

export const WebhooksPane = ({
  webhooks,
  nowMs,
  attached,
  cell
}: {
  readonly webhooks: Webhooks
  readonly nowMs: Millis
  /** Then the receivers are other people's, and what they make of a signature is not seen. */
  readonly attached: boolean
  readonly cell: Cell
}) => {
  const { columns, rows } = inside(cell)
  const { endpoints, deliveries, receiverWorks, delivered, verified, unverified } = webhooks
  const ours = [`signed ✓${verified} ✗${unverified}`, `receiver ${receiverWorks ? "works" : "BROKEN"}`]
  const aside = [`${delivered} delivered`, ...(attached ? [] : ours)]
  const idCells = columns < COLUMNS_FOR_IDS ? 0 : ID_CELLS
  const listed = bySignificance(endpoints).slice(0, Math.max(1, Math.floor(rows / 4)))
  return (
    <Pane cell={cell} aside={aside}>
      {endpoints.length === 0 && <Styled tone="quiet">Nobody has subscribed yet.</Styled>}
      {listed.map((row) => (
        <Endpoint key={row.webhookId} row={row} />
      ))}
      <Row>
        <Styled tone="quiet">
          {`  ${column("event", EVENT_CELLS)} ${column("id", idCells)}${column("tries", ATTEMPT_CELLS)} ${column("signed", SIGNATURE_CELLS)}${column("outcome", OUTCOME_CELLS)}`}
        </Styled>
      </Row>
      {deliveries
        .slice(-Math.max(1, rows - Math.max(1, listed.length) - 1))
        .toReversed()
        .map((row) => (
          <Delivery key={`${row.webhookId} ${row.eventId}`} row={row} nowMs={nowMs} idCells={idCells} />
        ))}
    </Pane>
  )
}
