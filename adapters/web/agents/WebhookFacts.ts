// How a webhook does, in words: its state, its last success and failure, and what to do while it fails.
import { spanText } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import type { Attempt, AttemptFault, Delivery } from "#core/domain/webhooks/Delivery.ts"
import { DISABLE_AFTER_MS, PLANNED_WAITS_MS } from "#core/domain/webhooks/DeliverySchedule.ts"
import { endpointStatus } from "#core/domain/webhooks/EndpointHealth.ts"
import { choicesOf, type Subscription } from "#core/domain/webhooks/Subscription.ts"
import { type Column, column, named, plainly, term } from "../Tables.ts"
import { endpointState, state } from "../Wording.ts"

export const eventsText = (one: Subscription): string =>
  choicesOf(one)
    .map((choice) => (choice === "*" ? "all events" : choice))
    .join(", ")

const STATES: Readonly<Record<Delivery["state"], string>> = {
  pending: "waits for its next attempt",
  delivered: "delivered",
  failed: "given up",
  dropped: "dropped, because the webhook ended or was turned off"
}

const DELIVERY_TONES = { pending: "wait", delivered: "ok", failed: "bad", dropped: "off" } as const

const deliveryState = ({ state: now, attempts }: Delivery): Html =>
  state(now === "pending" && attempts.length === 0 ? "on its way" : STATES[now], DELIVERY_TONES[now])

const FAULTS: Readonly<Record<AttemptFault, string>> = {
  timeout: "no answer in time",
  connection_refused: "connection refused",
  connection_reset: "connection broken off",
  tls: "its certificate was not accepted",
  unresolvable: "its name is not known",
  unreachable: "cannot be reached",
  address_refused: "its address is not public",
  invalid_response: "the answer is not HTTP",
  redirects: "leads to another address, which is not followed",
  http_status: "refused"
}

const SECOND = 1_000

const lengthText = (ms: number): string => (ms < SECOND ? `${Math.round(ms)} ms` : `${(ms / SECOND).toFixed(1)} s`)

const attemptText = ({ httpStatus, fault, durationMs }: Attempt): string => {
  const answered = httpStatus === null ? "" : `answered HTTP ${httpStatus}`
  const says = fault === null || fault === "http_status" ? answered : FAULTS[fault]
  return `${says === "" ? FAULTS.http_status : says}, after ${lengthText(durationMs)}`
}

const attempts = ({ attempts: made }: Delivery): Html =>
  made.length === 0
    ? html`none yet`
    : html`<ul>${made.map((attempt) => html`<li>${instant(attempt.atMs)}: ${attemptText(attempt)}</li>`)}</ul>`

export const deliveryColumns: ReadonlyArray<Column<Delivery>> = [
  named("Event", ({ event, createdAtMs }) => html`${event}<br><small>${instant(createdAtMs)}</small>`),
  plainly("State", deliveryState),
  column("Attempts", attempts)
]

/** The last attempt that did so or not, among the last one and those of the deliveries that are shown. */
const lastOf = ({ health }: Subscription, deliveries: ReadonlyArray<Delivery>, succeeded: boolean) =>
  [...(health.lastAttempt === null ? [] : [health.lastAttempt]), ...deliveries.flatMap((one) => one.attempts)]
    .filter(({ fault }) => (fault === null) === succeeded)
    .toSorted((one, other) => other.atMs - one.atMs)[0]

const fact = (name: string, attempt: Attempt | undefined): Html =>
  attempt === undefined ? nothing : term(name, html`${instant(attempt.atMs)}: ${attemptText(attempt)}`)

/** `deliveries`: the newest ones. */
export const webhookFacts = (
  one: Subscription,
  label: string,
  deliveries: ReadonlyArray<Delivery>
): Html => html`<div class="card pad"><dl class="facts">${term("State", endpointState(one))}${fact("Last success", lastOf(one, deliveries, true))}${fact("Last failure", lastOf(one, deliveries, false))}
${term("Orders of", label)}${term("Events", eventsText(one))}${term("Since", instant(one.createdAtMs))}</dl></div>
`

const RETRIED = `Each delivery is tried ${PLANNED_WAITS_MS.length} times within about a day and a half. If everything fails for ${spanText(DISABLE_AFTER_MS)}, this webhook is switched off, and owners are told by mail.`

/** What to do while it fails, or once it was switched off. */
export const whatToDo = ({ health }: Subscription): Html => {
  const status = endpointStatus(health)
  if (status === "active") return nothing
  if (status === "failing")
    return html`<p class="notice"><strong>Deliveries fail.</strong> Look at the last failure, and mend the program at this address: it must answer each delivery within 10 seconds with a status from 200 to 299. Then send a test. ${RETRIED}</p>
`
  return html`<p class="notice"><strong>Nothing is sent now.</strong> ${health.isPaused ? "Turn it on again" : "Once the program at this address answers again, turn it on again"}; then “Send what it missed” brings what happened in between.</p>
`
}
