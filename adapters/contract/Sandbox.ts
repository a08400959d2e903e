// Driving a sandbox order through its life (contract §6). The answers are those of quotes and orders.
import { Schema } from "effect"
import { LinkStatus } from "#core/domain/Link.ts"

export const AdvanceRequest = Schema.Struct({
  to: LinkStatus.annotate({
    description: "Where every link of the order should go. Forward only; `cancelled` from anything before `published`."
  })
}).annotate({ identifier: "AdvanceRequest", description: "Where a sandbox order should go." })
export type AdvanceRequest = typeof AdvanceRequest.Type
