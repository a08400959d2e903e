// The facts of each error: `details` of its body by `error.code`. Texts are checked against them by type; the OpenAPI document shows them.
import { Schema } from "effect"
import { SpendRule } from "#core/domain/access/AccessRefusal.ts"
import { WhoCan } from "#core/domain/ordering/Cancelling.ts"
import { LinkNotChangeable } from "#core/domain/ordering/ChangeRefusal.ts"
import { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"
import { PromoFault } from "#core/domain/pricing/PriceRefusal.ts"
import { UrlFault } from "#core/domain/shared/PublicAddress.ts"
import { NoAnswer } from "#core/domain/webhooks/WebhookRefusal.ts"
import { Cents, Count, Eur } from "../schema/Amount.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { at } from "../schema/Text.ts"
import type { ErrorCode, PublicErrorCode } from "./ErrorCode.ts"

const Limit = Count.annotate({ description: "The most that is allowed." })

const RetryAfter = Count.annotate({ description: "Seconds to wait, as in the header Retry-After." })

const ResetsAt = at("When the next one is possible.")

const whoCan = WhoCan.annotate({
  description: "Whom to tell: `owner`, your user in the member area; `operator`, the service, whom your user asks."
})

const funds = {
  total_cents: Cents.annotate({ description: "What the order costs after discount, cents." }),
  available_cents: Cents.annotate({ description: "The prepaid credit that it can use, cents." })
}

const OpenReservation = Schema.Struct({
  quote_id: answerId.quote,
  expires_at: at("When the quote expires, which frees what it reserves."),
  article_ids: Schema.optionalKey(
    Schema.Array(answerId.article).annotate({ description: "The articles that it reserves. Absent for a promo code." })
  ),
  promo_code: Schema.optionalKey(
    Schema.String.annotate({ description: "The promo code that it reserves. Absent for articles." })
  )
})

const UncancellableLink = Schema.Struct({
  link_id: answerId.link,
  status: Schema.String.annotate({ description: "How far it is, as `status` of a link." })
})

/** Codes of the public API that are not named have none. */
export const ERROR_DETAILS = {
  amount_below_minimum: Schema.Struct({
    ...funds,
    minimum_cents: Cents.annotate({ description: "The least that a card payment can be, cents." })
  }),
  article_site_mismatch: Schema.Struct({ article_id: answerId.article, site_id: answerId.site }),
  article_unavailable: Schema.Struct({ article_id: answerId.article }),
  body_too_large: Schema.Struct({
    limit_bytes: Count.annotate({ description: "The most that a body may have, bytes." })
  }),
  daily_order_cap_reached: Schema.Struct({
    limit: Limit,
    used: Count.annotate({ description: "How many were made today (UTC)." }),
    resets_at: ResetsAt
  }),
  idempotency_key_reused: Schema.Struct({
    quote_id: answerId.quote.annotate({ description: "What the first order under this key became." })
  }),
  insufficient_scope: Schema.Struct({
    required: Schema.Literals(["read", "order", "account"]).annotate({
      description: "The scope that is missing; `account`: to see what others of the account placed."
    }),
    held: Schema.Array(Schema.Literals(["read", "order", "key"])).annotate({
      description: "What there is instead; `key`: to see what this credential placed."
    })
  }),
  invalid_json: Schema.Struct({
    offset: Count.annotate({ description: "Where in the body the fault is, in characters from 0." })
  }),
  invalid_transition: Schema.Struct({
    from: Schema.String.annotate({ description: "The status of the link, or of the furthest one." }),
    to: Schema.String.annotate({ description: "The status that was asked for; the same for a change of text." })
  }),
  method_not_allowed: Schema.Struct({
    allowed: Schema.Array(Schema.String).annotate({ description: "The methods that this path takes." })
  }),
  not_cancellable: Schema.Struct({
    order_id: Schema.optionalKey(answerId.order.annotate({ description: "The order. Absent for a quote." })),
    quote_id: Schema.optionalKey(answerId.quote.annotate({ description: "The quote. Absent for an order." })),
    decided_by: Schema.optionalKey(
      Schema.Literals(["human", "another_credential"]).annotate({
        description: "Who placed, paid for or approved the order, where that is why. Absent otherwise."
      })
    ),
    links: Schema.optionalKey(
      Schema.Array(UncancellableLink).annotate({
        description: "The links on which work has begun, where that is why. Absent otherwise."
      })
    ),
    who_can: Schema.optionalKey(whoCan).annotateKey({
      description: "Who can still cancel it: `owner` or `operator`. Absent for a quote."
    })
  }),
  not_changeable: Schema.Struct({
    order_id: Schema.optionalKey(answerId.order.annotate({ description: "The link's order. Absent for a webhook." })),
    link_id: Schema.optionalKey(answerId.link.annotate({ description: "The link. Absent for a webhook." })),
    webhook_id: Schema.optionalKey(answerId.webhook.annotate({ description: "The webhook. Absent for a link." })),
    reason: Schema.Literals([...LinkNotChangeable.fields.reason.literals, "paused_by_owner"]).annotate({
      description:
        "`human`: one placed, paid for or approved the order. `another`: another credential placed it. `changed_often`: no change is left. `welcome_offer`: its target stays in its domain. `paused_by_owner`: an owner turned the webhook off."
    }),
    who_can: Schema.NullOr(whoCan).annotate({
      description: "Who can still change it: `owner`; `null` for no one, or where another target would do."
    })
  }),
  payment_processor_unavailable: Schema.Struct({
    retry_after_seconds: RetryAfter,
    quote_id: Schema.optionalKey(
      Schema.String.annotate({ description: "The quote that was made and is kept. Absent where none was." })
    )
  }),
  price_above_limit: Schema.Union([
    Schema.Struct({
      total_eur: Eur.annotate({ description: "What the order costs after discount, euros." }),
      max_total_eur: Eur.annotate({ description: "The `max_total_eur` that was sent." })
    }).annotate({ description: "Where the total is above `max_total_eur`." }),
    Schema.Struct({
      ...funds,
      maximum_cents: Cents.annotate({ description: "The most that a card payment can be, cents." })
    }).annotate({ description: "Where it is above what a card payment can be." })
  ]),
  promo_code_invalid: Schema.Struct({
    reason: PromoFault.annotate({ description: "Why it cannot be used." }),
    minimum_cents: Schema.optionalKey(
      Cents.annotate({ description: "The total that it needs, for `minimum_not_met`, cents. Absent otherwise." })
    ),
    reserved_by: Schema.optionalKey(
      Schema.String.annotate({ description: "Your open quote that reserves it, if that is why. Absent otherwise." })
    )
  }),
  quote_not_found: Schema.Struct({
    order_again: Schema.Literals(["once", "again", "forbidden"]).annotate({
      description:
        "Whether to order under the idempotency key that was sought. `once`: yes, it buys once at most. `again`: yes, in the sandbox, where it may be made for a second time. `forbidden`: this credential may not order."
    })
  }),
  quote_not_open: Schema.Struct({
    quote_id: answerId.quote,
    status: QuoteStatus.annotate({ description: "What the quote is instead." })
  }),
  rate_limited: Schema.Struct({ limit: Limit, retry_after_seconds: RetryAfter, resets_at: ResetsAt }),
  schema_too_new: Schema.Struct({
    retry_after_seconds: RetryAfter,
    newer_step: Schema.String.annotate({ description: "For operators: what the newer version did to the database." })
  }),
  site_not_found: Schema.Struct({ site_id: answerId.site }),
  site_unavailable: Schema.Struct({ site_id: answerId.site }),
  spend_policy_refused: Schema.Struct({
    rule: SpendRule.annotate({
      description:
        "The limit, as in `limits` of `GET /api/v1/agent/me`; `agents_stopped`: the user has stopped all agents; `credit_owed`: a refunded top-up is still to be settled."
    }),
    limit_cents: Schema.optionalKey(
      Cents.annotate({ description: "The limit of a rule of money, cents. Absent for other rules." })
    ),
    would_be_cents: Schema.optionalKey(
      Cents.annotate({ description: "What it would come to, cents. Absent for other rules than those of money." })
    ),
    owed_cents: Schema.optionalKey(
      Cents.annotate({ description: "For `credit_owed`: what is missing, cents. Absent otherwise." })
    ),
    allowed_domains: Schema.optionalKey(
      Schema.Array(Schema.String).annotate({ description: "For `allowed_domains`: which are. Absent otherwise." })
    )
  }),
  store_unavailable: Schema.Struct({ retry_after_seconds: RetryAfter }),
  too_many_reservations: Schema.Struct({
    limit: Limit,
    reserved: Count.annotate({ description: "What unpaid quotes of the account reserve." }),
    requested: Count.annotate({ description: "What this order would reserve besides." }),
    until_first_payment: Schema.optionalKey(
      Schema.Literal(true).annotate({
        description: "The limit ends with the account's first payment. Absent otherwise."
      })
    ),
    open: Schema.Array(OpenReservation).annotate({ description: "The quotes to pay or to abandon." })
  }),
  webhook_limit_reached: Schema.Struct({ limit: Limit }),
  webhook_url_refused: Schema.Struct({
    reason: UrlFault.annotate({ description: "What is wrong with the URL." }),
    error: Schema.optionalKey(
      NoAnswer.annotate({ description: "For `unreachable`: how it failed. Absent where that is not known." })
    )
  })
} satisfies Partial<Record<PublicErrorCode, Schema.Top>>

type DetailedCode = keyof typeof ERROR_DETAILS

/** Codes whose details are only sometimes known. */
export const SOMETIMES_DETAILED = ["idempotency_key_reused", "invalid_json", "quote_not_found"] as const

type SometimesDetailed = (typeof SOMETIMES_DETAILED)[number]

/** `details` in the text of an error. Those of other planes are facts of any kind. */
export type DetailsOf<Code extends ErrorCode> = Code extends SometimesDetailed
  ? { readonly details?: (typeof ERROR_DETAILS)[Code]["Type"] }
  : Code extends DetailedCode
    ? { readonly details: (typeof ERROR_DETAILS)[Code]["Type"] }
    : Code extends PublicErrorCode
      ? { readonly details?: never }
      : { readonly details?: Readonly<Record<string, Schema.Json>> }
