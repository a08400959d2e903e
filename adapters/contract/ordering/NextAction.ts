// What to do after the answer to an order, told apart by `type`.
import { Schema } from "effect"
import { integer } from "../schema/Amount.ts"
import { HumanLink } from "../schema/HumanLink.ts"
import { at } from "../schema/Text.ts"

const actionType = <const Type extends string>(type: Type) =>
  Schema.Literal(type).annotate({ description: "What to do." })

const tell_user = Schema.String.annotate({ description: "A sentence to pass on to the user." })

const polling = {
  poll_after_seconds: integer(1).annotate({
    description: "Seconds between looks at the quote."
  })
}

const expiring = { ...polling, expires_at: at("When the quote expires: the last moment to ask.") }

const NoAction = Schema.Struct({ type: actionType("none"), tell_user }).annotate({
  identifier: "NextActionNone",
  description: "Nothing is left to do but to tell the user."
})

const OpenPaymentUrl = Schema.Struct({
  type: actionType("open_payment_url"),
  url: HumanLink.annotate({ description: "Give it to the user, who pays there: the `payment_url`." }),
  ...expiring,
  tell_user
}).annotate({ identifier: "NextActionOpenPaymentUrl", description: "A human pays; poll the quote meanwhile." })

const OpenApprovalUrl = Schema.Struct({
  type: actionType("open_approval_url"),
  url: HumanLink.annotate({ description: "Give it to the user, who approves or declines there: the `approval_url`." }),
  ...expiring,
  tell_user
}).annotate({ identifier: "NextActionOpenApprovalUrl", description: "A human decides; poll the quote meanwhile." })

const PollQuote = Schema.Struct({
  type: actionType("poll_quote"),
  ...polling,
  expires_at: Schema.optionalKey(
    at("When the quote expires. Absent while a bank debit is under way, because it does not expire then.")
  ),
  tell_user
}).annotate({ identifier: "NextActionPollQuote", description: "No one has to act: poll the quote." })

export const NextAction = Schema.Union([NoAction, OpenPaymentUrl, OpenApprovalUrl, PollQuote]).annotate({
  identifier: "NextAction",
  description: "What to do after this answer, by `type`."
})
