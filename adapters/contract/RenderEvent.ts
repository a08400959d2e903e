// The body of an event, to the byte, as it was when the event happened.

import { creditedCents } from "#core/domain/Order.ts"
import type { Rendering } from "#core/domain/Rendering.ts"
import type { EventBody, TestEventBody } from "./EventBody.ts"
import { showLink, showOrderRecord } from "./ShowOrder.ts"
import { timestamp } from "./Text.ts"

const frozen = (body: EventBody | TestEventBody): string => JSON.stringify(body)

export const renderEvent: Rendering["event"] = ({ eventId, type, atMs, order, links, link }) =>
  frozen({
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
  frozen({
    id: eventId,
    type: "webhook.test",
    created_at: timestamp(atMs),
    api_version: "v1",
    sandbox: mode === "sandbox",
    data: { webhook_id: webhookId }
  })
