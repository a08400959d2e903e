// Webhooks of all keys and connections: how each does, its deliveries with their attempts, a test, a redelivery and a new signing secret.

import { Effect, Redacted } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { ALL_SCOPES, type Caller } from "#core/domain/access/ApiKey.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { DeliveryId } from "#core/domain/shared/Ids.ts"
import { type Attempt, type Delivery, endpointStatus } from "#core/domain/webhooks/Delivery.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { WebhookNotFound } from "#core/domain/webhooks/WebhookRefusal.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { ManageWebhooks } from "#core/usecases/webhooks/ManageWebhooks.ts"
import { button } from "../Fields.ts"
import { placeIn } from "../FormSchemas.ts"
import { action, type Handlers, page, seeOther, show } from "../PageRoutes.ts"
import { credentialText, state } from "../Wording.ts"

const PATH = "/account/webhooks"

export const webhooksRoutes = {
  webhooks: page("viewer", "/account/webhooks"),
  webhook: page("viewer", "/account/webhooks/:id"),
  testWebhook: action("owner", "/account/webhooks/:id/test"),
  rotateSecret: action("owner", "/account/webhooks/:id/rotate"),
  endWebhook: action("owner", "/account/webhooks/:id/end"),
  redeliver: action("owner", "/account/webhooks/:id/deliveries/:delivery/redeliver")
}

const PAGE_SIZE = 20

const healthText = ({ health }: Subscription): string => {
  switch (endpointStatus(health)) {
    case "active":
      return health.lastAttempt === null ? "nothing sent yet" : "works"
    case "failing":
      return `failing: ${counted(health.consecutiveFailures, "attempt")} in a row`
    case "disabled":
      return "switched off after lasting failures; a test that succeeds switches it on"
  }
}

const STATES: Readonly<Record<Delivery["state"], string>> = {
  pending: "waits for its next attempt",
  delivered: "delivered",
  failed: "given up",
  dropped: "dropped, because the webhook ended"
}

const attemptText = ({ httpStatus, fault, durationMs }: Attempt): string => {
  const result = httpStatus === null ? (fault ?? "no answer").replaceAll("_", " ") : `HTTP ${httpStatus}`
  return `${result} after ${durationMs} ms`
}

const attempts = ({ attempts }: Delivery): Html =>
  attempts.length === 0
    ? html`none yet`
    : html`<ul>${attempts.map((attempt) => html`<li>${instant(attempt.atMs)}: ${attemptText(attempt)}</li>`)}</ul>`

const webhookRow =
  (labels: ReadonlyMap<string, string>) =>
  (one: Subscription): Html =>
    html`<tr>
<th scope="row"><a href="${PATH}/${one.webhookId}">${one.url}</a><br><small>${one.events.join(", ")}</small></th>
<td data-label="Of">${labels.get(one.keyId) ?? one.keyId}</td>
<td>${state(healthText(one))}</td>
</tr>`

const deliveryRow =
  (isOwner: boolean) =>
  (delivery: Delivery): Html => {
    const { webhookId, deliveryId, event, createdAtMs } = delivery
    const again = isOwner
      ? button(`${PATH}/${webhookId}/deliveries/${deliveryId}/redeliver`, "Send again", {
          kind: "small",
          about: deliveryId
        })
      : nothing
    return html`<tr>
<th scope="row">${event}<br><small>${instant(createdAtMs)}</small></th>
<td>${state(STATES[delivery.state])}</td>
<td data-label="Attempts">${attempts(delivery)}</td>
<td>${again}</td>
</tr>`
  }

const callerFor = ({ accountId, keyId, mode }: Subscription): Caller => ({ accountId, keyId, mode, scopes: ALL_SCOPES })

const ownerActions = ({ webhookId }: Subscription): Html => html`${button(`${PATH}/${webhookId}/test`, "Send a test")}
${button(`${PATH}/${webhookId}/rotate`, "New signing secret")}
${button(`${PATH}/${webhookId}/end`, "End this webhook", { kind: "grave" })}`

export const webhooksHandlers = Effect.gen(function* () {
  const accounts = yield* ViewAccount
  const manage = yield* ManageWebhooks

  const own = Effect.fnUntraced(function* ({ account }: SignedIn, webhookId = "") {
    const found = (yield* accounts.webhooks(account.accountId)).find((one) => one.webhookId === webhookId)
    return found === undefined ? yield* new WebhookNotFound({ webhookId }) : found
  })

  const labelsOf = Effect.fnUntraced(function* ({ account }: SignedIn) {
    return new Map((yield* accounts.keys(account.accountId)).map(({ key }) => [key.keyId, credentialText(key)]))
  })

  const handlers: Handlers<typeof webhooksRoutes> = {
    webhooks: Effect.fnUntraced(function* ({ who }) {
      const all = yield* accounts.webhooks(who.account.accountId)
      const labels = yield* labelsOf(who)
      const list =
        all.length === 0
          ? html`<p class="empty">No webhook yet. An agent or a program adds one by POST /api/v1/agent/webhooks; see the <a href="/docs">API reference</a>.</p>`
          : html`<table>
<thead><tr><th scope="col">Address</th><th scope="col">Of</th><th scope="col">State</th></tr></thead>
<tbody>${all.map(webhookRow(labels))}</tbody>
</table>`
      return show(
        "Webhooks",
        "Webhooks",
        html`<h1>Webhooks</h1>
<p>Where the service tells programs what becomes of the orders of each key and connection.</p>
${list}`
      )
    }),
    webhook: Effect.fnUntraced(function* ({ who, params: { id }, query }) {
      const one = yield* own(who, id)
      const labels = yield* labelsOf(who)
      const beforeId = placeIn(query, DeliveryId)
      const request = { webhookId: one.webhookId, limit: PAGE_SIZE, beforeId }
      const { deliveries, nextBeforeId } = yield* manage.deliveries(one, request)
      const isOwner = who.member.role === "owner"
      const list =
        deliveries.length === 0
          ? html`<p class="empty">Nothing was sent yet.</p>`
          : html`<table>
<thead><tr><th scope="col">Event</th><th scope="col">State</th><th scope="col">Attempts</th><td></td></tr></thead>
<tbody>${deliveries.map(deliveryRow(isOwner))}</tbody>
</table>`
      const next =
        nextBeforeId === null
          ? nothing
          : html`<p><a rel="next" href="${PATH}/${one.webhookId}?before=${nextBeforeId}">Older deliveries</a></p>`
      return show(
        "Webhooks",
        "Webhook",
        html`<h1>Webhook</h1>
<p>${one.url}</p>
<p>${state(healthText(one))} Of ${labels.get(one.keyId) ?? one.keyId}, for ${one.events.join(", ")}. Since ${instant(one.createdAtMs)}.</p>
${isOwner ? ownerActions(one) : nothing}
<h2>Deliveries</h2>
${list}${next}`
      )
    }),
    testWebhook: Effect.fnUntraced(function* ({ who, params: { id } }) {
      const one = yield* own(who, id)
      yield* manage.test(callerFor(one), one.webhookId)
      return seeOther(`${PATH}/${one.webhookId}`, "A test is on its way. Reload this page to see what became of it.")
    }),
    rotateSecret: Effect.fnUntraced(function* ({ who, params: { id } }) {
      const one = yield* own(who, id)
      const { secret, previousValidUntilMs } = yield* manage.rotateSecret(callerFor(one), one.webhookId)
      // Shown in the answer itself, because nothing keeps it for another page.
      return show(
        "Webhooks",
        "New signing secret",
        html`<h1>New signing secret</h1>
<p class="done" role="status">Deliveries are signed with this secret now, and with the previous one too until ${instant(previousValidUntilMs)}. Copy it: it is shown only here.</p>
<div class="field wide">
<label for="secret">The secret</label>
<input class="secret" id="secret" type="text" value="${Redacted.value(secret)}" readonly autofocus>
</div>
<p><a href="${PATH}/${one.webhookId}">Back to the webhook</a></p>`,
        { status: 201 }
      )
    }),
    endWebhook: Effect.fnUntraced(function* ({ who, params: { id } }) {
      const one = yield* own(who, id)
      yield* manage.revoke(callerFor(one), one.webhookId)
      return seeOther(PATH, `Nothing is sent to ${one.url} any more.`)
    }),
    redeliver: Effect.fnUntraced(function* ({ who, params: { id, delivery = "" } }) {
      const one = yield* own(who, id)
      yield* manage.redeliver(callerFor(one), one.webhookId, DeliveryId.make(delivery))
      return seeOther(`${PATH}/${one.webhookId}`, "It is sent again. Reload this page to see what became of it.")
    })
  }
  return handlers
})
