// What the activity of an account is narrowed by, in people's words: what it is about, who did it, and from when until when.
import { Result, Schema } from "effect"
import { OrdersQuery, readConditions } from "#adapters/contract/ordering/OrdersQuery.ts"
import { type Html, html } from "#adapters/html/Html.ts"
import { type ActivityFilter, ActivityKind, DoerKind } from "#core/domain/operations/ActivityKind.ts"
import { choice, controlsOf, type FormState, schemaOf } from "../form/Fields.ts"
import { folded } from "../form/Filters.ts"
import { fieldsDecoder } from "../form/FormBody.ts"
import { daysIn, endsAfterItBegins, periodFields } from "../form/Period.ts"
import { SETTINGS_PATH } from "./SettingCards.ts"

const KINDS: Readonly<Record<ActivityKind, string>> = {
  orders: "orders, refused attempts and links",
  approvals: "decisions on orders",
  money: "credit, payments and invoices",
  agents: "agents: keys and connections",
  webhooks: "webhooks",
  people: "members, invitations and sign-in",
  account: "the account itself"
}

const DOERS: Readonly<Record<DoerKind, string>> = {
  agent: "an agent",
  member: "a member",
  operator: "the operator",
  processor: "the payment provider",
  service: "the service"
}

const fields = {
  about: choice(Schema.optionalKey(ActivityKind), "About", [
    { value: "", label: "everything" },
    ...ActivityKind.literals.map((value) => ({ value, label: KINDS[value] }))
  ]),
  by: choice(Schema.optionalKey(DoerKind), "Done by", [
    { value: "", label: "anyone" },
    ...DoerKind.literals.map((value) => ({ value, label: DOERS[value] }))
  ]),
  ...periodFields(OrdersQuery.fields.created_from)
}

const decode = fieldsDecoder(schemaOf(fields, endsAfterItBegins))

/** The conditions of an address, without the place in the list. */
export const filtersIn = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name, value]) => Object.hasOwn(fields, name) && value !== ""))

/** Days are those of the zone. Other parts of the address, such as the place in the list, do not count. */
export const readFilter = (query: URLSearchParams, zone: string) =>
  Result.map(decode(filtersIn(query)), ({ about, by, ...period }): ActivityFilter => {
    const { createdFromMs, createdToMs } = { ...readConditions(period), ...daysIn(period, zone) }
    return {
      ...(about === undefined ? {} : { kind: about }),
      ...(by === undefined ? {} : { by }),
      ...(createdFromMs === undefined ? {} : { fromMs: createdFromMs }),
      ...(createdToMs === undefined ? {} : { toMs: createdToMs })
    }
  })

export const filterForm = (state: FormState): Html =>
  folded(
    html`<form method="get" action="${SETTINGS_PATH}/activity" class="filters">
${controlsOf(fields, state)}<div class="field"><button type="submit">Filter</button></div>
</form>`,
    filtersIn(state.values)
  )
