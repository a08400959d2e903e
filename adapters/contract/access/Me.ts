// The credential of a client: whose it is, what it may do, and what is left of its limits today.
import { Schema } from "effect"
import { type ApiKey, Scope, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import { isConnection } from "#core/domain/access/Connection.ts"
import type { PlacedQuote } from "#core/domain/ordering/Quote.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { Cents, Count, integer } from "../schema/Amount.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { at, Timestamp, timestamp, timestampOrNull } from "../schema/Text.ts"
import { Balance, showOpenQuote } from "../wallet/Balance.ts"

const Limits = Schema.Struct({
  max_order_cents: Schema.NullOr(Cents).annotate({
    description: "The most that one order may cost, cents; `null`: any."
  }),
  max_day_cents: Schema.NullOr(Cents).annotate({
    description: "The most that the open and paid quotes of one UTC day may cost together, cents; `null`: any."
  }),
  daily_order_cap: Schema.NullOr(integer(1)).annotate({ description: "Quotes per UTC day; `null`: any." }),
  allowed_domains: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "Targets must be on one of them or below it; `null`: anywhere."
  }),
  approve_above_cents: Schema.NullOr(Cents).annotate({
    description:
      "Orders over more than this wait for the user's approval, cents; 0: all orders; `null`: none for its total."
  }),
  hold_look_alikes: Schema.Boolean.annotate({
    description: "Whether an order for the same items as one of the last 10 minutes waits for the user's approval."
  }),
  always_allow: Schema.Array(
    Schema.Struct({
      domain: Schema.String.annotate({ description: "Targets on it or below it." }),
      up_to_cents: Cents.annotate({ description: "Up to this total, cents." })
    })
  ).annotate({
    description:
      "Exceptions from `approve_above_cents`: an order does not wait for its total if every target is on one of these domains or below it, and the total is at most the smallest `up_to_cents` among them."
  })
}).annotate({
  description: "What the account's human allows this key, and the service by default. `null`: no such limit."
})

export const Me = Schema.Struct({
  ok: Ok,
  account: Schema.Struct({
    account_id: answerId.account,
    name: Schema.String.annotate({ description: "What the account is called." })
  }).annotate({ description: "The account that the credential belongs to." }),
  key: Schema.Struct({
    key_id: answerId.key,
    kind: Schema.Literals(["key", "connection"]).annotate({
      description: "`connection`: granted to an application by its user's consent."
    }),
    label: Schema.String.annotate({ description: "What the human calls it." }),
    scopes: Schema.Array(Scope).annotate({
      description: "What this call may do: `read` looks, `order` also orders, changes and cancels."
    }),
    mode: Schema.Literals(["live", "sandbox"]).annotate({
      description: "`sandbox`: nothing that it does has any real effect."
    }),
    expires_at: Schema.NullOr(Timestamp).annotate({
      description: "When the key ends by itself; `null`: it does not."
    }),
    paused: Schema.Boolean.annotate({
      description:
        "Whether the user lets it only read at present: orders, changes of links and new webhooks are refused."
    }),
    limits: Limits,
    left_today: Schema.Struct({
      orders: Schema.NullOr(Count).annotate({ description: "Of `daily_order_cap`; `null` without one." }),
      cents: Schema.NullOr(Cents).annotate({ description: "Of `max_day_cents`; `null` without one." }),
      resets_at: at("When both begin anew: the next midnight.")
    }).annotate({ description: "What is left of the limits of a day (UTC)." })
  }).annotate({ description: "The key or connection that this call was made with." }),
  open_quotes: Balance.fields.open_quotes,
  support_contact: Schema.NullOr(Schema.String).annotate({
    description: "Where the user reaches the operator of this service; `null` where the operator has named nothing."
  }),
  sandbox: Sandbox
}).annotate({ identifier: "Me", description: "The credential that this call was made with." })
export type Me = typeof Me.Type

/** `dailyOrderCap`: 0 means unlimited. */
const showLimits = (limits: SpendLimits, dailyOrderCap: number): typeof Limits.Type => ({
  max_order_cents: limits.maxOrderCents,
  max_day_cents: limits.maxDayCents,
  daily_order_cap: dailyOrderCap === 0 ? null : dailyOrderCap,
  allowed_domains: limits.allowedDomains,
  approve_above_cents: limits.approveAboveCents,
  hold_look_alikes: limits.holdLookAlikes,
  always_allow: limits.alwaysAllow.map(({ domain, upToCents }) => ({ domain, up_to_cents: upToCents }))
})

export const showMe = (
  caller: {
    readonly account: { readonly accountId: AccountId; readonly name: string }
    readonly key: ApiKey
    /** Scopes of the call: an access token may have fewer than its connection. */
    readonly scopes: ReadonlyArray<Scope>
    readonly dailyOrderCap: number
    readonly leftToday: { readonly orders: number | null; readonly cents: number | null; readonly resetsAtMs: number }
    readonly openQuotes: ReadonlyArray<PlacedQuote>
  },
  supportContact: string | null
): Me => {
  const { account, key, scopes, dailyOrderCap, leftToday, openQuotes } = caller
  return {
    ok: true,
    account: { account_id: account.accountId, name: account.name },
    key: {
      key_id: key.keyId,
      kind: isConnection(key.keyId) ? "connection" : "key",
      label: key.label,
      scopes,
      mode: key.mode,
      expires_at: timestampOrNull(key.expiresAtMs ?? null),
      paused: key.pausedAtMs !== undefined,
      limits: showLimits(key.limits, dailyOrderCap),
      left_today: { orders: leftToday.orders, cents: leftToday.cents, resets_at: timestamp(leftToday.resetsAtMs) }
    },
    open_quotes: openQuotes.map(showOpenQuote),
    support_contact: supportContact,
    sandbox: key.mode === "sandbox"
  }
}
