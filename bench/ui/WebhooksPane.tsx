// Webhooks: the health of each endpoint, and every delivery with its attempts and the receiver's verdict on the signature.
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AttemptSummary, DeliveryRow, EndpointRow } from "../model/WebhooksModel.ts"
import { column, oneLine, shortId, until } from "./Format.ts"
import { inside, Pane, type PaneProps } from "./Pane.tsx"
import { type Mark, Row, Styled } from "./Styled.tsx"

const EVENT_CELLS = 15
const ID_CELLS = 12
const COLUMNS_FOR_IDS = 60
const ATTEMPT_CELLS = 6
const OUTCOME_CELLS = 17
const SIGNATURE_CELLS = 7

const HEALTH: Readonly<Record<EndpointRow["status"], Mark>> = {
  active: { mark: "●", tone: "good" },
  failing: { mark: "◐", tone: "busy" },
  disabled: { mark: "✗", tone: "bad" },
  revoked: { mark: "○", tone: "quiet" }
}

const STATES: Readonly<Record<DeliveryRow["state"], Mark>> = {
  pending: { mark: "…", tone: "busy" },
  delivered: { mark: "✓", tone: "good" },
  failed: { mark: "✗", tone: "bad" },
  dropped: { mark: "○", tone: "quiet" }
}

/** One mark an attempt, the last at the right. */
const attemptMarks = (attempts: ReadonlyArray<AttemptSummary>): string =>
  attempts
    .slice(-ATTEMPT_CELLS)
    .map(({ fault }) => (fault === null ? "✓" : "✗"))
    .join("")

const outcome = ({ attempts, state }: DeliveryRow): string => {
  const last = attempts.at(-1)
  if (last === undefined) return state === "pending" ? "" : state
  return last.httpStatus === null ? (last.fault ?? "").replace("_", " ") : `HTTP ${last.httpStatus}`
}

const nextAttempt = ({ nextAttemptAtMs }: DeliveryRow, nowMs: Millis): string => {
  if (nextAttemptAtMs === null) return ""
  return nextAttemptAtMs <= nowMs ? "due " : `in ${until(nextAttemptAtMs, nowMs)} `
}

const signature = ({ received, verified }: DeliveryRow): Mark => {
  if (received === 0) return { mark: "–", tone: "quiet" }
  const times = received > 1 ? ` ×${received}` : ""
  return verified ? { mark: `✓${times}`, tone: "good" } : { mark: `✗${times}`, tone: "bad" }
}

interface DeliveryProps {
  readonly row: DeliveryRow
  readonly nowMs: Millis
  readonly idCells: number
}

const Delivery = ({ row, nowMs, idCells }: DeliveryProps) => {
  const { mark, tone } = STATES[row.state]
  const signed = signature(row)
  return (
    <Row>
      <Styled tone={tone}>{mark}</Styled> {column(row.event, EVENT_CELLS)}{" "}
      <Styled tone="quiet">{column(shortId(row.eventId), idCells)}</Styled>
      {column(attemptMarks(row.attempts), ATTEMPT_CELLS)}{" "}
      <Styled tone={signed.tone}>{column(signed.mark, SIGNATURE_CELLS)}</Styled>
      {column(`${nextAttempt(row, nowMs)}${outcome(row)}`, OUTCOME_CELLS)}
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

export const WebhooksPane = ({ model: { webhooks, nowMs, run }, box }: PaneProps) => {
  const { columns, rows } = inside(box)
  const { endpoints, deliveries, receiverWorks, delivered, verified, unverified } = webhooks
  // The receivers of an attached deployment are not the bench's, and their verdicts are unknown.
  const isAttached = run.service?.attached === true
  const ofReceiver = [`signed ✓${verified} ✗${unverified}`, `receiver ${receiverWorks ? "works" : "BROKEN"}`]
  const idCells = columns < COLUMNS_FOR_IDS ? 0 : ID_CELLS
  const revokedLast = endpoints.toSorted((a, b) => Number(a.status === "revoked") - Number(b.status === "revoked"))
  const listed = revokedLast.slice(0, Math.max(1, Math.floor(rows / 4)))
  const deliveryRows = Math.max(1, rows - Math.max(1, listed.length) - 1)
  return (
    <Pane box={box} summary={[`${delivered} delivered`, ...(isAttached ? [] : ofReceiver)]}>
      {endpoints.length === 0 && <Styled tone="quiet">No webhook yet.</Styled>}
      {listed.map((row) => (
        <Endpoint key={row.webhookId} row={row} />
      ))}
      <Row>
        <Styled tone="quiet">
          {`  ${column("event", EVENT_CELLS)} ${column("id", idCells)}${column("tries", ATTEMPT_CELLS)} ${column("signed", SIGNATURE_CELLS)}${column("outcome", OUTCOME_CELLS)}`}
        </Styled>
      </Row>
      {deliveries
        .slice(-deliveryRows)
        .toReversed()
        .map((row) => (
          <Delivery key={`${row.webhookId} ${row.eventId}`} row={row} nowMs={nowMs} idCells={idCells} />
        ))}
    </Pane>
  )
}
