// What an agent does in the days after a purchase, over REST: finds what was bought, what is late, changes, cancels, and gets what its
// webhook missed.
import { Effect } from "effect"
import type { OrderCancelled } from "#adapters/contract/ordering/Cancelling.ts"
import type { LinkList } from "#adapters/contract/ordering/Links.ts"
import type { OrderList } from "#adapters/contract/ordering/Orders.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { canChangeText } from "#core/domain/ordering/LinkChange.ts"
import type { LinkId, OrderId, WebhookId } from "#core/domain/shared/Ids.ts"
import { Actors, Refused } from "./Actors.ts"
import type { Identity, RestCalls } from "./RestAgent.ts"

const leftOutOf = ({ other_credentials }: OrderList): number => other_credentials?.orders ?? 0

const describe = {
  orders: (list: OrderList) =>
    `${counted(list.orders.length, "order")}${leftOutOf(list) === 0 ? "" : `; ${leftOutOf(list)} of other keys`}`,
  links: ({ links }: LinkList) =>
    `${counted(links.length, "link")}: ${links.map(({ domain, due_at }) => `${domain}, due ${due_at?.slice(0, 10)}`).join("; ")}`,
  cancelled: ({ cancelled, kept }: OrderCancelled) =>
    [
      `${counted(cancelled.length, "link")} cancelled`,
      ...kept.map(({ reason, who_can }) => `1 kept: ${reason} The ${who_can} can cancel it`)
    ].join("; ")
}

export const makeLaterCalls = Effect.fnUntraced(function* ({ actorId }: Identity, { client }: RestCalls) {
  const run = (yield* Actors).runAs(actorId)

  /** The first link of the order that may have another text. */
  const changeable = Effect.fnUntraced(function* (id: OrderId) {
    const { items } = yield* client.orders.getOrder({ params: { id } })
    const found = items.find(({ status }) => canChangeText(status))
    return found?.link_id ?? (yield* new Refused({ code: "nothing_to_change", message: "Every link is written." }))
  })

  const changeLink = (id: OrderId, link_id: LinkId, anchor_text: string) =>
    client.orders.changeLink({ params: { id, link_id }, payload: { anchor_text, dry_run: false } })

  return {
    orders: (scope: "key" | "account") =>
      run(
        scope === "key" ? "lists its orders" : "lists all orders of the account",
        client.orders.listOrders({ query: { scope } }),
        describe.orders
      ),
    overdue: run(
      "lists the account's links that are overdue",
      client.links.listLinks({ query: { scope: "account", overdue: true } }),
      describe.links
    ),
    changeAnchor: (id: OrderId, anchor: string) =>
      run(
        `changes an anchor to “${anchor}”`,
        Effect.flatMap(changeable(id), (linkId) => changeLink(id, linkId, anchor)),
        ({ summary }) => summary
      ),
    cancel: (id: OrderId) =>
      run(
        "cancels what can be cancelled of its order",
        client.orders.cancelOrder({ params: { id }, payload: { only: "cancellable" } }),
        describe.cancelled
      ),
    webhook: (id: WebhookId) =>
      run("reads its webhook", client.webhooks.getWebhook({ params: { id } }), ({ status }) => `it is ${status}`),
    enable: (id: WebhookId) =>
      run(
        "enables its webhook again",
        client.webhooks.changeWebhook({ params: { id }, payload: { active: true } }),
        ({ status }) => `it is ${status}`
      ),
    replay: (id: WebhookId, from: string) =>
      run(
        "asks for what its webhook missed",
        client.deliveries.replayWebhook({ params: { id }, payload: { from } }),
        ({ queued }) => `${counted(queued, "event")} on the way, in order`
      )
  }
})

export type LaterCalls = Effect.Success<ReturnType<typeof makeLaterCalls>>
