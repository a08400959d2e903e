// The body of an event, to the byte, as it was when the event happened.

import { creditedCents } from "#core/domain/Order.ts"
import type { Rendering } from "#core/domain/Rendering.ts"
import { encodeEventBody, encodeTestEventBody } from "./EventBody.ts"
import { showLink, showOrderRecord } from "./ShowOrder.ts"
import { timestamp } from "./Text.ts"

export const renderEvent: Rendering["event"] = ({ eventId, type, atMs, order, links, link }) =>
  encodeEventBody({
    id: eventId,
    type,
    created_at: timestamp(atMs),
    api_version: "v1",
    sandbox: order.mode === "sandbox",
    data: {
      order: showOrderRecord({ order, links }),
      ...(link === undefined ? {} : { link: showLink(link) }),
      ...(type === "order.cancelled" ? { credited_cents: creditedCents(links) } : {})
    }
  })

export const renderTest: Rendering["test"] = ({ eventId, webhookId, mode, atMs }) =>
  encodeTestEventBody({
    id: eventId,
    type: "webhook.test",
    created_at: timestamp(atMs),
    api_version: "v1",
    sandbox: mode === "sandbox",
    data: { webhook_id: webhookId }
  })
