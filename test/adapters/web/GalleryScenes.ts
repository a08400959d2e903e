// Pages that no link leads to: forms that were refused, what is shown once, what asks for a confirmation, payments in their states, agents that
// are stopped, and what could not be done.
import { Effect, Ref } from "effect"
import { DEMO_OWNER } from "#adapters/demo/Demo.ts"
import { SEARCHES } from "#adapters/web/front/StrangersSearches.ts"
import { ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import { Members } from "#core/ports/members/Members.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { addApp } from "./AuthenticatorApps.ts"
import { hiddenIn } from "./CartSteps.ts"
import { item, orderBy } from "./GalleryAccounts.ts"
import { invited, signInLinkOf, signInMailOf } from "./Invited.ts"
import type { Example } from "./PageChecks.ts"
import { csv, newSheet, SHEETS } from "./SheetSteps.ts"
import { openAccount, visit } from "./Visitors.ts"

export interface Scene {
  readonly name: string
  /** `null`: not signed in. */
  readonly token: string | null
  readonly example: Example
  /** What makes the service answer so, done at the last moment. */
  readonly before?: () => Promise<unknown>
}

type Named = Readonly<Record<string, Example>>

const scenesOf = (token: string | null, examples: Named): ReadonlyArray<Scene> =>
  Object.entries(examples).map(([name, example]) => ({ name, token, example }))

const WRONG_LIMITS = { max_order: "ten", max_day: "-1", daily_cap: "0", approve_above: "" }

/** Forms of an account in use, sent wrong. */
const refused: Named = {
  "refused-key": {
    path: "/account/keys",
    form: { label: "", mode: "live", may_read: "on", may_order: "on", reach: "own", ...WRONG_LIMITS },
    status: 422
  },
  "refused-billing": { path: "/account/settings/billing", form: { name: "", country: "Atlantis" }, status: 422 },
  "refused-invitation": { path: "/account/settings/invitations", form: { email: "ada@", role: "viewer" }, status: 422 },
  "refused-top-up": { path: "/account/credit/top-ups", form: { top_up: "top_none", amount: "3" }, status: 422 },
  "refused-filters": { path: "/account/orders?created_from=2026-11-28&created_to=2026-11-27", status: 422 },
  "refused-catalogue": { path: "/account/shop?max_price_eur=cheap&min_tf=high", status: 422 },
  "refused-sheet": { path: SHEETS, form: { sheet: "a".repeat(22), rows: "no columns at all" }, status: 422 },
  "foreign-form": { path: "/account/settings/billing", form: { name: "Willow" }, status: 403, isForeign: true },
  "no-such-order": { path: "/account/orders/ord_none", status: 404 },
  "no-such-page": { path: "/account/no-such-page", status: 404 }
}

/** What is shown once, after the redirect of the form that made it. */
const secrets = Effect.fnUntraced(function* (token: string, memberId: string) {
  const { text } = yield* visit({ path: "/account/webhooks", token })
  const [webhook = ""] = /\/account\/webhooks\/[^"]+/.exec(text) ?? []
  const made: ReadonlyArray<readonly [name: string, path: string, form: Readonly<Record<string, string>>]> = [
    ["new-secret", `${webhook}/rotate`, {}],
    ["one-time-code", `/account/settings/members/${memberId}/code`, {}]
  ]
  const answers = yield* Effect.forEach(made, ([name, path, form]) =>
    Effect.map(
      visit({ method: "POST", path, token, form }),
      ({ location }) => [name, { path: location ?? "" }] as const
    )
  )
  return Object.fromEntries(answers)
})

/** In another account, because the demo's has nearly as many keys as there can be. */
const newKey = Effect.gen(function* () {
  const { owner: token } = yield* openAccount
  const form = { label: "Writer of the spring sale", mode: "live", may_read: "on", reach: "none" }
  const { location } = yield* visit({ method: "POST", path: "/account/keys", token, form })
  return scenesOf(token, { "new-key": { path: location ?? "" } })
})

/** An account whose owner has an authenticator app, seen in a session that a mail alone began. */
const guarded = Effect.gen(function* () {
  const { owner, ownerEmail, viewer, viewerMember } = yield* openAccount
  yield* addApp(owner)
  const member = `/account/settings/members/${viewerMember.memberId}`
  const link = new URL(yield* (yield* SignInLinks).demo(ownerEmail))
  const token = link.searchParams.get("token") ?? ""
  const billing = { name: "Willow", country: "DE" }
  return [
    ...scenesOf(owner, {
      "confirm-in-place": { path: "/account/settings/billing", form: billing, status: 403 },
      "confirm-in-place-refused": {
        path: "/account/settings/billing",
        form: { ...billing, code: "000000" },
        status: 403
      },
      "step-up": { path: `${member}/remove`, form: {}, status: 403 },
      "step-up-refused": { path: `${member}/role`, form: { role: "owner", code: "000000" }, status: 403 },
      "remove-app": { path: "/account/settings/factors/totp/remove" }
    }),
    ...scenesOf(viewer, {
      "viewer-overview": { path: "/account" },
      "viewer-may-not": { path: "/account/settings/invitations", form: {}, status: 403 }
    }),
    ...scenesOf(null, {
      "sign-in-code": { path: `${link.pathname}${link.search}` },
      "sign-in-code-refused": { path: "/account/sign-in/use", form: { token, code: "000000" }, status: 422 }
    })
  ]
})

/** Searches come too often. */
const tooOften = (url: string): ReadonlyArray<Scene> => {
  const flood = () =>
    Promise.all(Array.from({ length: SEARCHES.network }, (_, nth) => fetch(`${url}/sites?query=${nth}`)))
  return scenesOf(null, { "too-often": { path: "/sites?query=links", status: 429 } }).map((scene) => ({
    ...scene,
    before: flood
  }))
}

/** All agents are stopped: only people can order. */
const stopped = Effect.gen(function* () {
  const { owner, account } = yield* openAccount
  yield* (yield* ManageAccounts).topUp(
    { accountId: account.accountId, cents: 12_000, reference: "transfer" },
    "operator"
  )
  yield* visit({ method: "POST", path: "/account/stop", token: owner })
  return scenesOf(owner, {
    "stopped-overview": { path: "/account" },
    "stopped-resume": { path: "/account/stop" },
    "stopped-shop": { path: "/account/shop/cart" }
  })
})

/** A quote of an agent and its page of payment, in each state. */
const payments = Effect.fnUntraced(function* (url: string, key: string) {
  const offer = Effect.fnUntraced(function* (deed: string) {
    const items = Array.from({ length: 3 }, (_, nth) => item(nth + 6, `${deed || "open"}-${nth}`, "garden tools"))
    const { payment_url } = yield* orderBy(url, key, items)
    const path = new URL(payment_url ?? "/", url).pathname
    if (deed !== "") yield* visit({ method: "POST", path: `${path}/${deed}` })
    return path
  })
  const open = yield* offer("")
  return scenesOf(null, {
    "payment-returned": { path: `${open}?returned=paid` },
    "payment-paid": { path: yield* offer("pay") },
    "payment-declined": { path: yield* offer("abandon") },
    "payment-unknown": { path: "/pay/none", status: 404 }
  })
})

/** The payment processor does not answer meanwhile. */
const withoutProcessor = Effect.fnUntraced(function* <A, E, R>(act: Effect.Effect<A, E, R>) {
  const { down } = yield* ProcessorFaults
  yield* Ref.set(down, true)
  const done = yield* act
  yield* Ref.set(down, false)
  return done
})

const topUps = Effect.fnUntraced(function* (token: string) {
  const start = Effect.gen(function* () {
    const { text } = yield* visit({ path: "/account/credit/top-ups", token })
    const form = { top_up: hiddenIn(text, "top_up"), amount: "25" }
    const { location } = yield* visit({ method: "POST", path: "/account/credit/top-ups", token, form })
    const path = location ?? ""
    const shown = yield* visit({ path, token })
    const [page = ""] = /\/account\/top-up\/[\w-]+/.exec(shown.text) ?? []
    return { path, page }
  })
  const [open, paid, ended, stuck] = [yield* start, yield* start, yield* start, yield* withoutProcessor(start)]
  const { down, meanwhile } = yield* ProcessorFaults
  // The page of a top-up asks for its payment page each time that it is opened.
  yield* Ref.set(meanwhile, (id) => Ref.set(down, stuck.path.endsWith(id)))
  yield* visit({ method: "POST", path: `${paid.page}/pay` })
  yield* visit({ method: "POST", path: `${ended.path}/cancel`, token })
  return scenesOf(token, {
    "top-up-open": { path: open.path },
    "top-up-returned": { path: `${open.path}?returned=paid` },
    "top-up-stuck": { path: stuck.path },
    "top-up-pay": { path: open.page },
    "top-up-paid": { path: paid.path },
    "top-up-ended": { path: ended.path }
  })
})

/** People on their way in. */
const arrivals = Effect.fnUntraced(function* () {
  const inviter = yield* openAccount
  const { email, link } = yield* invited(inviter, "bo@willow-and-spade.example")
  const { kept } = yield* signInMailOf(inviter.ownerEmail)
  const cookie = { name: "asked", value: kept }
  const ended = { name: "asked", value: "none" }
  return scenesOf(null, {
    invitation: { path: `/account/invitation?token=${link}` },
    "invitation-by-link": { path: `/account/sign-in?token=${yield* signInLinkOf(email)}` },
    "sign-up": { path: `/account/sign-in?token=${yield* signInLinkOf("new@willow-and-spade.example")}` },
    "sign-in-sent": { path: "/account/sign-in/sent", cookie },
    "sign-in-sent-elsewhere": { path: "/account/sign-in/sent", cookie: ended },
    "sign-in-mail-code-refused": { path: "/account/sign-in/code", form: { code: "000000" }, cookie, status: 422 },
    "sign-in-code-ended": { path: "/account/sign-in/code", form: { code: "000000" }, cookie: ended, status: 410 },
    "sign-in-link-ended": { path: "/account/sign-in?token=none", status: 410 },
    "sign-in-known": { path: "/account/sign-in", cookie: { name: "devices", value: "known" } },
    "sign-in-refused": { path: "/account/sign-in", form: { email: "ada" }, status: 422 },
    "reviewer-refused": { path: "/account/sign-in/reviewer", form: { name: "ada", password: "no" }, status: 422 },
    "signed-out": { path: "/account/settings/billing", form: { name: "Willow" }, status: 401 },
    "no-page": { path: "/nothing", status: 404 }
  })
})

/** `inUse`: a session of the demo's account, which has `key`. */
export const scenes = Effect.fnUntraced(function* (inUse: string, key: string, url: string) {
  const known = yield* (yield* Members).byEmail(DEMO_OWNER)
  if (known === null) throw new Error("the demo has an owner")
  const { accountId } = known.account
  const viewer = { accountId, email: "bo.from.accounting@willow-and-spade.example", role: "viewer" } as const
  const { memberId } = yield* joinAs(viewer)
  const sheet = yield* newSheet(
    inUse,
    csv(
      ["site", "target_url", "anchor_text"],
      [1, "https://willow-and-spade.example/spring", "spring bulbs"],
      [2, "https://willow-and-spade.example/spring", "garden shears"],
      ["nowhere.example", "not an address", ""]
    )
  )
  return [
    ...scenesOf(inUse, { ...refused, ...(yield* secrets(inUse, memberId)), sheet: { path: sheet } }),
    ...(yield* newKey),
    ...(yield* guarded),
    ...(yield* stopped),
    ...tooOften(url),
    ...(yield* payments(url, key)),
    ...(yield* topUps(inUse)),
    ...(yield* arrivals())
  ]
})
