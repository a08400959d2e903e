// A top-up as an agent asks for it: the address of a page, on which a human of the account pays.
import { Schema } from "effect"
import { plainEur } from "#core/domain/pricing/Money.ts"
import { MAX_TOP_UP_CENTS, MIN_TOP_UP_CENTS } from "#core/domain/wallet/TopUp.ts"
import { Eur, eurOfCents } from "../schema/Amount.ts"
import { HumanLink } from "../schema/HumanLink.ts"
import { queryEur } from "../schema/QueryValue.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"

const BOUNDS = { minimum: eurOfCents(MIN_TOP_UP_CENTS), maximum: eurOfCents(MAX_TOP_UP_CENTS) }

export const TopUpQuery = Schema.Struct({
  amount_eur: queryEur(
    `How much to top up: ${BOUNDS.minimum} to ${BOUNDS.maximum} euros, with two decimals at most.`,
    BOUNDS
  )
})

export const TopUpProposal = Schema.Struct({
  ok: Ok,
  amount_eur: Eur.annotate({ description: "The amount that was asked for, euros." }),
  top_up_url: Schema.NullOr(HumanLink).annotate({
    description: "Where an owner of the account, signed in, pays the amount. `null` where there is no such page."
  }),
  tell_user: Schema.String.annotate({ description: "To be passed on to the user." }),
  sandbox: Sandbox
}).annotate({
  identifier: "TopUpProposal",
  description: "Where a human tops up the prepaid credit. Nothing is stored and nothing charged."
})
export type TopUpProposal = typeof TopUpProposal.Type

export interface TopUpPlace {
  readonly cents: number
  /** `null` where people do not sign in. */
  readonly url: string | null
  readonly supportContact: string | null
}

const tellLive = ({ cents, url, supportContact }: TopUpPlace): string => {
  const amount = plainEur(cents)
  return url === null
    ? `Credit is topped up by the operator of this service: please ask ${supportContact ?? "the operator"} for ${amount}.`
    : `Please open ${url}, sign in as an owner of the account and pay ${amount}: it becomes credit at once. Nothing is charged before you pay there.`
}

const TELL_SANDBOX =
  "There is nothing to pay: this is the sandbox, which has no credit of its own. Orders there pretend it with `sandbox_credit_cents`."

export const showTopUp = (place: TopUpPlace, sandbox: boolean): TopUpProposal => ({
  ok: true,
  amount_eur: eurOfCents(place.cents),
  top_up_url: sandbox ? null : place.url,
  tell_user: sandbox ? TELL_SANDBOX : tellLive(place),
  sandbox
})
