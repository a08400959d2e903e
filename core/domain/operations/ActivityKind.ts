// What people narrow the activity of their account by: what it is about, who did it, and when.
import { Schema } from "effect"
import { PROCESSOR, SERVICE } from "../members/Actor.ts"
import type { Millis } from "../shared/DecisionContext.ts"

export const ActivityKind = Schema.Literals(["orders", "approvals", "money", "agents", "webhooks", "people", "account"])
export type ActivityKind = typeof ActivityKind.Type

/** What the actions of audit records begin with, by the kind that they belong to; no two kinds share one. */
const BEGINNINGS: Readonly<Record<ActivityKind, ReadonlyArray<string>>> = {
  orders: ["link.", "quote.abandon", "quote.pay"],
  approvals: ["quote.approve", "quote.decline", "quote.expire"],
  money: [
    "topup.",
    "payment.",
    "account.top_up",
    "account.debit",
    "account.billing",
    "account.confirm_vat",
    "account.withdraw_vat"
  ],
  agents: ["agents.", "key.", "connection."],
  webhooks: ["webhook."],
  people: ["member.", "invitation.", "factor.", "reviewer."],
  account: ["account.open", "account.email", "account.edit", "account.rename", "account.close"]
}

export const beginningsOf = (kind: ActivityKind): ReadonlyArray<string> => BEGINNINGS[kind]

/** An action of a later version may belong to none. */
export const kindsOf = (action: string): ReadonlyArray<ActivityKind> =>
  ActivityKind.literals.filter((kind) => BEGINNINGS[kind].some((beginning) => action.startsWith(beginning)))

export const DoerKind = Schema.Literals(["agent", "member", "operator", "processor", "service"])
export type DoerKind = typeof DoerKind.Type

/** `agents`: the ids of the account's keys and connections. */
export const doerKind = (actor: string, agents: ReadonlyArray<string>): DoerKind => {
  if (agents.includes(actor)) return "agent"
  if (actor === PROCESSOR) return "processor"
  if (actor === SERVICE) return "service"
  return actor.startsWith("mem_") ? "member" : "operator"
}

/** All that is given holds. */
export interface ActivityFilter {
  readonly kind?: ActivityKind
  readonly by?: DoerKind
  readonly fromMs?: Millis
  /** Inclusive. */
  readonly toMs?: Millis
}
