// Reviewers: they sign in by name and password, see their sandbox account, decide what waits there, and change nothing else; wrong names
// and wrong passwords are answered alike.
import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { makeNetworkOf } from "#adapters/http/server/ClientNetwork.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { passwordBounds } from "#core/domain/members/SignInBounds.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { ManageFactors } from "#core/usecases/members/ManageFactors.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { ManageReviewers } from "#core/usecases/members/ManageReviewers.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { SignIn } from "#core/usecases/members/SignIn.ts"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { WebShop } from "#core/usecases/ordering/WebShop.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { cart, issueKey, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { linkTo, openAccount, openReview, openReviewFor, visit } from "./Visitors.ts"

const PATH = "/account/sign-in/reviewer"

const signIn = (name: string, password: string) => visit({ method: "POST", path: PATH, form: { name, password } })

const tokenIn = (cookies: ReadonlyArray<string>): string => /(?:^|,)session=([^;]+)/.exec(cookies.join())?.[1] ?? ""

layer(RunningService.layer())("reviewers", (it) => {
  it.effect("sign in by name in any spelling and password, to an account that says what it is", () =>
    Effect.gen(function* () {
      const { reviewer, password } = yield* openReview
      const { status, location, cookies } = yield* signIn(` ${reviewer.name.toUpperCase()} `, password)
      assert.deepStrictEqual([status, location], [303, "/account"])
      const token = tokenIn(cookies)
      const { text } = yield* visit({ path: "/account", token })
      assert.include(text, `Review by ${reviewer.name}`)
      assert.include(text, "(reviewer, in the sandbox alone)")
      assert.strictEqual((yield* visit({ method: "POST", path: "/account/sign-out", token })).status, 303)
      assert.strictEqual((yield* visit({ path: "/account", token })).status, 303)
    })
  )

  it.effect("are answered alike where the name is unknown, the password is wrong, or both are over", () =>
    Effect.gen(function* () {
      const [one, ended] = [yield* openReview, yield* openReview]
      yield* (yield* ManageReviewers).end(ended.reviewer.name, "test")
      const answers = new Set<string>()
      for (const [name, password] of [
        ["xxxxxxxxxx", one.password],
        [one.reviewer.name, "wrong"],
        [one.reviewer.name, "x".repeat(201)],
        [ended.reviewer.name, ended.password],
        ["", ""]
      ] as const) {
        const { status, text, cookies } = yield* signIn(name, password)
        const shown = text.replaceAll(` value="${name}"`, ' value=""')
        answers.add(JSON.stringify([status, shown, cookies]))
        if (password !== "") assert.notInclude(text, password)
      }
      assert.strictEqual(answers.size, 1)
      assert.include([...answers][0] ?? "", "[422,")
    })
  )

  it.effect("are kept out by ten wrong passwords from one network for an hour, whatever is typed then", () =>
    Effect.gen(function* () {
      const { reviewer, password } = yield* openReview
      const { advance, nowMs } = yield* MovableClock
      assert.strictEqual((yield* signIn(reviewer.name, "wrong")).status, 422)
      // Counts attempts past the pages, because each attempt there takes long on purpose.
      const bounds = passwordBounds({
        name: reviewer.name,
        network: makeNetworkOf([])("127.0.0.1", undefined),
        device: null
      })
      const { countAttempt } = yield* Sessions
      for (let nth = 2; nth <= 10; nth++)
        assert.isTrue(yield* countAttempt({ id: `${reviewer.name} ${nth}`, atMs: nowMs() }, bounds))
      assert.strictEqual((yield* signIn(reviewer.name, password)).status, 422)
      yield* advance(3_600_000)
      assert.strictEqual((yield* signIn(reviewer.name, password)).status, 303)
    })
  )

  it.effect("are signed out when their time is over, or the operator ends it, with their keys", () =>
    Effect.gen(function* () {
      const reviewers = yield* ManageReviewers
      const keys = yield* Credentials
      const { advance } = yield* MovableClock
      const ended = yield* openReview
      const { accountId } = ended.reviewer
      yield* issueKey(accountId, { mode: "sandbox" })
      yield* reviewers.end(ended.reviewer.name, "test")
      assert.strictEqual((yield* visit({ path: "/account", token: ended.token })).status, 303)
      assert.isTrue((yield* keys.list(accountId)).every(({ key }) => key.revokedAtMs !== null))
      const again = yield* reviewers.create({ name: ended.reviewer.name, days: 1 }, "test")
      assert.notStrictEqual(again.reviewer.accountId, accountId)
      const taken = yield* Effect.result(reviewers.create({ name: again.reviewer.name.toUpperCase(), days: 1 }, "test"))
      assert.strictEqual(Result.isFailure(taken) && taken.failure._tag, "ReviewerNameTaken")
      const expiring = yield* openReviewFor(1)
      assert.strictEqual((yield* visit({ path: "/account", token: expiring.token })).status, 200)
      // Sooner than an unused session ends.
      yield* advance(expiring.reviewer.expiresAtMs - expiring.reviewer.createdAtMs)
      assert.strictEqual((yield* visit({ path: "/account", token: expiring.token })).status, 303)
      assert.strictEqual((yield* signIn(expiring.reviewer.name, expiring.password)).status, 422)
    })
  )

  it.effect("get no link by mail", () =>
    Effect.gen(function* () {
      const { email } = yield* openReview
      const look = yield* Effect.result((yield* SignIn).look(yield* linkTo(email)))
      assert.strictEqual(Result.isFailure(look) && look.failure._tag, "SignInLinkInvalid")
    })
  )

  it.effect("have an account without live keys, deposits and other members, for members and the operator alike", () =>
    Effect.gen(function* () {
      const { reviewer, token } = yield* openReview
      const { accountId, memberId } = reviewer
      const deposit = { accountId, cents: 500, reference: "transfer 1" }
      const newKey = { accountId, mode: "live" as const, label: "a", scopes: ["read" as const], limits: noLimits }
      const invited = { accountId, email: "eve@brand.example", role: "owner" as const }
      const signedIn = yield* (yield* MemberSessions).authenticate(token)
      const accounts = yield* ManageAccounts
      const keys = yield* Credentials
      const members = yield* ManageMembers
      const topUps = yield* TopUpCredit
      const asked: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        accounts.topUp(deposit, "test"),
        accounts.topUpOnce(deposit, "test"),
        keys.issue(newKey, "test"),
        keys.issueBy({ ...newKey, mode: "sandbox" }, { memberId }),
        members.invite(invited, { operator: "test" }),
        members.remove({ accountId, memberId }, { operator: "test" }),
        topUps.start(signedIn, { topUpId: yield* topUps.newId, cents: 500 }),
        (yield* WebShop).callerOf(signedIn)
      ]
      const outcomes = yield* Effect.forEach(asked, (one) =>
        Effect.match(one, { onFailure: ({ _tag }) => _tag, onSuccess: () => "done" })
      )
      assert.deepStrictEqual(outcomes, [
        "SandboxAccount",
        "SandboxAccount",
        "SandboxAccount",
        "OwnerOnly",
        "SandboxAccount",
        "LastOwner",
        "OwnerOnly",
        "OwnerOnly"
      ])
      yield* issueKey(accountId, { mode: "sandbox" })
      assert.deepStrictEqual((yield* (yield* Reconcile).reconcile()).violations, [])
      const { text } = yield* visit({ path: "/account/settings/activity", token })
      for (const done of [`made the sign-in of the reviewer ${reviewer.name}`, "opened the account", "sandbox key"])
        assert.include(text, done)
    })
  )

  it.effect("approve and decline what waits in their sandbox, and nothing of other accounts", () =>
    Effect.gen(function* () {
      const { reviewer, token } = yield* openReview
      const { siteId } = yield* listSite()
      const who = yield* issueKey(reviewer.accountId, { mode: "sandbox", limits: { approveAboveCents: 0 } })
      const approve = Effect.fnUntraced(function* (quoteId: string, total: string) {
        const form = { quote: quoteId, state: "awaiting_approval", total }
        return yield* visit({ method: "POST", path: `/account/approvals/${quoteId}/approve`, token, form })
      })
      const quote = placedBy(yield* postOrder(who.key, cart([item(siteId)])))
      assert.strictEqual(quote.status, "awaiting_approval")
      const path = `/account/approvals/${quote.quote_id}`
      assert.include((yield* visit({ path, token })).text, `action="${path}/approve"`)
      const done = yield* approve(quote.quote_id ?? QuoteId.make(""), String(Math.round(quote.total_eur * 100)))
      assert.deepStrictEqual([done.status, done.location], [303, `/account/quotes/${quote.quote_id}`])
      const declined = placedBy(yield* postOrder(who.key, cart([item(siteId), item(siteId)])))
      const declining = { method: "POST", path: `/account/approvals/${declined.quote_id}/decline`, token } as const
      assert.strictEqual((yield* visit(declining)).status, 303)
      const other = yield* openAccount
      const foreign = yield* issueKey(other.account.accountId, { mode: "sandbox", limits: { approveAboveCents: 0 } })
      const theirs = placedBy(yield* postOrder(foreign.key, cart([item(siteId)])))
      assert.strictEqual((yield* approve(theirs.quote_id ?? QuoteId.make(""), "500")).status, 404)
      const decide = yield* DecideApproval
      const signedIn = yield* (yield* MemberSessions).authenticate(token)
      const forced = yield* Effect.result(decide.decline(theirs.quote_id ?? QuoteId.make(""), signedIn, ""))
      assert.strictEqual(Result.isFailure(forced) && forced.failure._tag, "QuoteNotFound")
    })
  )

  it.effect("have no factor, by the core too", () =>
    Effect.gen(function* () {
      const { token } = yield* openReview
      const signedIn = yield* (yield* MemberSessions).authenticate(token)
      const { passkeys, totp } = yield* (yield* ManageFactors).list(signedIn)
      assert.deepStrictEqual([passkeys, totp], [[], null])
      for (const path of ["/account/settings/factors/passkeys", "/account/settings/factors/totp"])
        assert.strictEqual((yield* visit({ method: "POST", path, token })).status, 403)
    })
  )
})
