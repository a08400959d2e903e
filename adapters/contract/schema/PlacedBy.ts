// Who placed a quote or an order, as agents see it: no answer to an agent has a member's address.
import { Schema } from "effect"
import type { PlacedBy as Placer } from "#core/domain/access/PlacedBy.ts"

const A_MEMBER = "a member of the account"

export const PlacedBy = Schema.Struct({
  id: Schema.NullOr(Schema.String).annotate({
    description: "Of the key, connection or member; `null` for members who ordered before this was kept."
  }),
  kind: Schema.Literals(["key", "connection", "member"]).annotate({
    description: "`connection`: an assistant that was let in; `member`: a person."
  }),
  label: Schema.String.annotate({
    description: `What the account calls the key or connection; of a member, "${A_MEMBER}".`
  })
}).annotate({ identifier: "PlacedBy", description: "Which key, connection or member of the account placed it." })
export type PlacedBy = typeof PlacedBy.Type

export const showPlacedBy = (placer: Placer): PlacedBy =>
  placer.kind === "member" ? { ...placer, label: A_MEMBER } : placer
