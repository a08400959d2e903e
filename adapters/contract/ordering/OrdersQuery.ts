// What a list of orders is narrowed by.
import { Schema } from "effect"
import { type OrderConditions, OrderStatus } from "#core/domain/ordering/Order.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { domainName, hostOf } from "../schema/DomainName.ts"
import { ListScope } from "../schema/ListSummary.ts"
import { asName } from "../schema/MemberMarks.ts"
import { endOf, endsAfter, moment, startOf } from "../schema/Moment.ts"
import { Cursor, Limit } from "../schema/Paging.ts"
import { queryInt } from "../schema/QueryValue.ts"
import { reference, text } from "../schema/Text.ts"

export const OrdersQuery = Schema.Struct({
  scope: Schema.optionalKey(ListScope),
  status: Schema.optionalKey(OrderStatus.annotate({ description: "Only orders in this status." })),
  created_from: Schema.optionalKey(moment("Only orders made then or later.")),
  created_to: Schema.optionalKey(moment("Only orders made then or earlier; a date includes its whole day.")),
  target_domain: Schema.optionalKey(domainName("Only orders with a link to this domain or a name below it.")),
  project_id: Schema.optionalKey(
    text(1)
      .annotate({ description: "Only orders with a link for this project.", ...asName })
      .pipe(idBrands.ProjectId)
  ),
  reference: Schema.optionalKey(
    reference.annotate({ description: "Only orders that have this `reference`, or a link that has it." })
  ),
  site_id: Schema.optionalKey(queryInt("Only orders with a link on this site.", 1)),
  limit: Schema.optionalKey(Limit),
  cursor: Schema.optionalKey(Cursor)
}).check(endsAfter("created_from", "created_to"))
export type OrdersQuery = typeof OrdersQuery.Type

export const readConditions = ({
  created_from,
  created_to,
  target_domain,
  project_id,
  reference,
  site_id
}: OrdersQuery): OrderConditions => {
  const createdFromMs = created_from === undefined ? undefined : startOf(created_from)
  const createdToMs = created_to === undefined ? undefined : endOf(created_to)
  const targetDomain = target_domain === undefined ? undefined : hostOf(target_domain)
  return {
    ...(createdFromMs === undefined ? {} : { createdFromMs }),
    ...(createdToMs === undefined ? {} : { createdToMs }),
    ...(targetDomain === undefined ? {} : { targetDomain }),
    ...(project_id === undefined ? {} : { projectId: project_id }),
    ...(reference === undefined ? {} : { reference }),
    ...(site_id === undefined ? {} : { siteId: site_id })
  }
}
