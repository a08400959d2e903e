// Webhooks of all keys and connections: how each does, its deliveries with their attempts, a test, a redelivery and a new signing secret.

import { Effect, Redacted, Schema } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { ALL_SCOPES, type Caller } from "#core/domain/access/ApiKey.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { Millis } from "#core/domain/shared/DecisionContext.ts"
import { DeliveryId, WebhookId } from "#core/domain/shared/Ids.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { WebhookNotFound } from "#core/domain/webhooks/WebhookRefusal.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { ManageWebhooks } from "#core/usecases/webhooks/ManageWebhooks.ts"
import { deliveryColumns, eventsText, webhookFacts, whatToDo } from "../agents/WebhookFacts.ts"
import { placeIn } from "../form/FieldSchemas.ts"
import { button } from "../form/Form.ts"
import { newFormId, onceShown } from "../OnceShown.ts"
import { type Answer, action, page, repeatable, seeOther, titled, type Visit } from "../Page.ts"
import { actions, type Column, column, named, pageLinks, plainly, table } from "../Tables.ts"
import { credentialText, endpointState } from "../Wording.ts"

const PATH = "/account/webhooks"

const PAGE_SIZE = 20

/** The names of the credentials of an account, by their ids. */
const labelsOf = Effect.fnUntraced(function* ({ account }: SignedIn) {
  const keys = yield* (yield* ViewAccount).keys(account.accountId)
  const labels = new Map(keys.map(({ key }) => [key.keyId, credentialText(key)]))
  return ({ keyId, scope }: Subscription): string => {
    const label = labels.get(keyId) ?? keyId
    return scope === "account" ? `${isolated(label)}, for all orders of the account` : label
  }
})

const webhookColumns = (labelOf: (one: Subscription) => string): ReadonlyArray<Column<Subscription>> => [
  named(
    "Address",
    (one) => html`<a href="${PATH}/${one.webhookId}">${one.url}</a><br><small>${eventsText(one)}</small>`
  ),
  column("Orders of", labelOf),
  plainly("State", (one) => endpointState(one)),
  column("Last sent", ({ health: { lastAttempt } }) => (lastAttempt === null ? "never" : instant(lastAttempt.atMs)))
]

const deliveryColumnsFor = (isOwner: boolean): ReadonlyArray<Column<Delivery>> => [
  ...deliveryColumns,
  actions(({ webhookId, deliveryId }) => {
    const path = `${PATH}/${webhookId}/deliveries/${deliveryId}/redeliver`
    return isOwner ? button(path, "Send again", { kind: "small", about: deliveryId }) : nothing
  })
]

const callerFor = ({ accountId, keyId, mode }: Subscription): Caller => ({ accountId, keyId, mode, scopes: ALL_SCOPES })

/** What is missed while it is off is sent by a replay alone. */
const switchButton = ({ webhookId, health }: Subscription): Html =>
  health.disabledAtMs === null
    ? button(`${PATH}/${webhookId}/off`, "Turn off")
    : button(`${PATH}/${webhookId}/on`, "Turn on again")

const ownerActions = Effect.fnUntraced(function* (one: Subscription) {
  const { webhookId } = one
  return html`<div class="row">${button(`${PATH}/${webhookId}/test`, "Send a test")}
${switchButton(one)}
${button(`${PATH}/${webhookId}/replay`, "Send what it missed")}
${button(`${PATH}/${webhookId}/rotate`, "New signing secret", { values: yield* newFormId })}
${button(`${PATH}/${webhookId}/end`, "End this webhook", { kind: "grave" })}</div>`
})

const NO_WEBHOOK = html`No webhook yet. Your agent or program adds one: the <a href="/docs">API reference</a> says how.`

const webhooksPage = page("viewer", PATH, { section: "Webhooks" }, function* ({ who }) {
  const all = yield* (yield* ViewAccount).webhooks(who.account.accountId)
  return html`<p>Addresses of your programs, to which the service sends what becomes of your agents' orders.</p>
${table(webhookColumns(yield* labelsOf(who)), all, NO_WEBHOOK)}`
})

const ofPath = Effect.fnUntraced(function* ({ who: { account }, params: { id = "" } }: Visit<SignedIn>) {
  const webhookId = WebhookId.make(id)
  const all = yield* (yield* ViewAccount).webhooks(account.accountId)
  return all.find((one) => one.webhookId === webhookId) ?? (yield* new WebhookNotFound({ webhookId }))
})

const webhookPage = page("viewer", `${PATH}/:id`, { section: "Webhooks" }, function* (visit) {
  const { who, query } = visit
  const one = yield* ofPath(visit)
  const labelOf = yield* labelsOf(who)
  const at = placeIn(query, DeliveryId)
  const request = { webhookId: one.webhookId, limit: PAGE_SIZE, beforeId: at }
  const { deliveries, nextBeforeId: next } = yield* (yield* ManageWebhooks).deliveries(one, request)
  const isOwner = who.member.role === "owner"
  const body = html`<p>${one.url}</p>
${whatToDo(one)}${webhookFacts(one, labelOf(one), at === null ? deliveries : [])}${isOwner ? yield* ownerActions(one) : nothing}
<h2>Deliveries</h2>
${table(deliveryColumnsFor(isOwner), deliveries, "Nothing was sent yet.")}
${pageLinks({ path: `${PATH}/${one.webhookId}`, at, next }, { first: "Newest deliveries", next: "Older deliveries" })}`
  return titled(`Webhook to ${new URL(one.url).host}`, body)
})

const NewSecret = Schema.Struct({ webhookId: WebhookId, secret: Schema.String, previousValidUntilMs: Millis })

const secretBody = ({
  secret,
  previousValidUntilMs
}: typeof NewSecret.Type): Html => html`<p class="done" role="status">Deliveries are signed with this secret now, and with the previous one too until ${instant(previousValidUntilMs)}. Copy it now: it is not shown again. One press selects all of it.</p>
<div class="field wide">
<label for="secret">The secret</label>
<output class="secret copied" id="secret">${secret}</output>
</div>
<p>Give it to the program that receives the deliveries: with it, the program knows that they come from here.</p>`

const newSecretPage = onceShown({
  ...{ path: `${PATH}/:id/secret/:shown`, section: "Webhooks", title: "New signing secret", secret: NewSecret },
  back: `${PATH}/:id`,
  body: secretBody,
  gone: html`<p>Did you not copy the new secret? <a href="${PATH}">Make another</a>; each of the last two works for 24 hours.</p>`
})

/** Tests, redeliveries and secrets are bounded alike. */
const tooMany = (
  { webhookId }: Subscription,
  why: string,
  { resetsAtMs }: { readonly resetsAtMs: number }
): Answer => ({
  ...titled(
    "That was enough for a day",
    html`<p>${why} The next one is possible after ${instant(resetsAtMs)}.</p>
<p><a href="${PATH}/${webhookId}">Back to the webhook</a></p>`,
    { section: "Webhooks" }
  ),
  status: 429
})

const sentOften = (what: string, { limit }: { readonly limit: number }): string =>
  `Nothing was sent. This webhook had ${limit} ${what} within 24 hours. Deliveries that are waiting are sent without you.`

const STILL_GOOD =
  "The secret stays as it is, because each before it was promised to work for 24 hours. If it leaked, end this webhook and let your agent add another."

const replayText = ({ queued, hasMore }: { readonly queued: number; readonly hasMore: boolean }): string => {
  if (queued === 0) return "It missed nothing in the last 30 days."
  const sent = `${counted(queued, "event")} that it missed ${queued === 1 ? "is" : "are"} on the way, in the order in which they happened.`
  return hasMore ? `${sent} Press the button again for the rest.` : sent
}

const switchTo = (active: boolean, done: string) =>
  function* (visit: Visit<SignedIn>) {
    const one = yield* ofPath(visit)
    const { webhookId } = one
    const { memberId: owner } = visit.who.member
    yield* (yield* ManageWebhooks).change({ webhookId, caller: callerFor(one), change: { active }, owner })
    return seeOther(`${PATH}/${one.webhookId}`, done)
  }

export const webhooksPages = [
  webhooksPage,
  webhookPage,
  action("owner", `${PATH}/:id/test`, function* (visit) {
    const one = yield* ofPath(visit)
    const sent = seeOther(
      `${PATH}/${one.webhookId}`,
      "A test is on its way. Reload this page to see what became of it."
    )
    return yield* (yield* ManageWebhooks).test(callerFor(one), one.webhookId).pipe(
      Effect.as<Answer>(sent),
      Effect.catchTag("WebhookTestLimitReached", (reached) =>
        Effect.succeed(tooMany(one, sentOften("tests", reached), reached))
      )
    )
  }),
  action("owner", `${PATH}/:id/on`, switchTo(true, "It is on: what happens from now on is sent.")),
  action(
    "owner",
    `${PATH}/:id/off`,
    switchTo(false, "It is off: what happens is not sent until an owner turns it on again."),
    "nothing"
  ),
  action("owner", `${PATH}/:id/replay`, function* (visit) {
    const one = yield* ofPath(visit)
    return yield* (yield* ManageWebhooks).replay(callerFor(one), one.webhookId, 0).pipe(
      Effect.map((replay): Answer => seeOther(`${PATH}/${one.webhookId}`, replayText(replay))),
      Effect.catchTag("RedeliveryLimitReached", (reached) =>
        Effect.succeed(tooMany(one, sentOften("redeliveries", reached), reached))
      )
    )
  }),
  repeatable(
    action("owner", `${PATH}/:id/rotate`, function* (visit) {
      const one = yield* ofPath(visit)
      const { webhookId } = one
      const { rotateSecret } = yield* ManageWebhooks
      return yield* newSecretPage
        .lead(visit, (entropy) =>
          Effect.map(rotateSecret(callerFor(one), webhookId, entropy), ({ secret, previousValidUntilMs }) => ({
            ...{ webhookId, previousValidUntilMs, secret: Redacted.value(secret) }
          }))
        )
        .pipe(
          Effect.catchTag("SecretRotationLimitReached", (reached) => Effect.succeed(tooMany(one, STILL_GOOD, reached)))
        )
    })
  ),
  ...newSecretPage.pages,
  action(
    "owner",
    `${PATH}/:id/end`,
    function* (visit) {
      const one = yield* (yield* ManageWebhooks).end(visit.who, WebhookId.make(visit.params["id"] ?? ""))
      return seeOther(PATH, `Nothing is sent to ${one.url} any more.`)
    },
    "nothing"
  ),
  action("owner", `${PATH}/:id/deliveries/:delivery/redeliver`, function* (visit) {
    const one = yield* ofPath(visit)
    const deliveryId = DeliveryId.make(visit.params["delivery"] ?? "")
    const sent = seeOther(`${PATH}/${one.webhookId}`, "It is sent again. Reload this page to see what became of it.")
    return yield* (yield* ManageWebhooks).redeliver(callerFor(one), one.webhookId, deliveryId).pipe(
      Effect.as<Answer>(sent),
      Effect.catchTag("RedeliveryLimitReached", (reached) =>
        Effect.succeed(tooMany(one, sentOften("redeliveries", reached), reached))
      )
    )
  })
]
