// Signing in by mail: what is sent to whom, what a link does once, sessions, and that an answer tells nothing of the address.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { it } from "@effect/vitest"
import { Context, Effect, Layer, Queue, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import * as Passkeys from "#adapters/factors/Passkeys.ts"
import * as TotpCodes from "#adapters/factors/TotpCodes.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import * as Vault from "#adapters/outbound/Vault.ts"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import { SESSION_IDLE_MS, SIGN_IN_LINK_MS, type SignedIn } from "#core/domain/members/Session.ts"
import { Mailer, MailUnavailable } from "#core/ports/mails/Mailer.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import { JoinAccount } from "#core/usecases/members/JoinAccount.ts"
import { KnownDevices } from "#core/usecases/members/KnownDevices.ts"
import { MailInvitations } from "#core/usecases/members/MailInvitations.ts"
import { ManageFactors } from "#core/usecases/members/ManageFactors.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ResetCodes } from "#core/usecases/members/ResetCodes.ts"
import { SignIn } from "#core/usecases/members/SignIn.ts"
import { SignInCodes } from "#core/usecases/members/SignInCodes.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import { VerifyFactor } from "#core/usecases/members/VerifyFactor.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { noPages } from "#test/core/MemberAreaGiven.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"

interface Sent {
  readonly to: string
  readonly token: string
  readonly accountName: string | null
}

class Outbox extends Context.Service<Outbox, Queue.Queue<Sent>>()("backlinks/test/Outbox") {}

/** The addresses that the mail server does not take. */
const REFUSED = "refused@brand.example"

const mailer = Layer.effect(
  Mailer,
  Effect.map(Outbox, (outbox) =>
    Mailer.of({
      send: (to, mail) => {
        if (mail._tag !== "SignInLink") return Effect.void
        if (to === REFUSED) return Effect.fail(new MailUnavailable({ reason: "full" }))
        return Effect.asVoid(Queue.offer(outbox, { to, token: mail.url.slice(1), accountName: mail.accountName }))
      }
    })
  )
)

const factorAdapters = Layer.mergeAll(
  Passkeys.layer({ peopleUrl: "http://localhost", serviceName: "Test" }),
  TotpCodes.layer("Test"),
  Vault.layer({ key: Redacted.make(Buffer.alloc(32, 7).toString("base64")) })
)

const environment = (signUp: "open" | "closed") =>
  Layer.mergeAll(SignIn.layer, SignInLinks.layer, ManageMembers.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(ManageFactors.layer, JoinAccount.layer, MailInvitations.layer)),
    Layer.provideMerge(Layer.mergeAll(ConfirmAction.layer, SignInCodes.layer)),
    Layer.provideMerge(Layer.mergeAll(KnownDevices.layer, MemberSessions.layer, ResetCodes.layer, VerifyFactor.layer)),
    Layer.provide(factorAdapters),
    Layer.provide(mailer),
    Layer.provideMerge(Layer.effect(Outbox, Queue.unbounded<Sent>())),
    Layer.provide(
      Layer.succeed(MemberArea, {
        ...noPages,
        signUp,
        signInPage: (token: string) => `/${token}`,
        invitationPage: (token: string) => `/${token}`
      })
    ),
    Layer.provideMerge(MemoryStore.layer),
    Layer.provide([NodeCrypto.layerDigest, NodeCrypto.layerMac]),
    Layer.provide(SecureRandom.layerWebCrypto)
  )

/** Nothing to confirm by: the account has no second factor. */
const confirmed = (signedIn: SignedIn) =>
  Effect.flatMap(ConfirmAction, ({ confirm }) =>
    confirm(signedIn, { name: "/members", fields: [] }, { assertion: "", code: "" })
  )

const client = { network: "192.0.2.1", userAgent: "test", who: null }

const ada = Effect.gen(function* () {
  const book = yield* OrderBook
  const email = "ada@brand.example"
  return yield* book.transact({ _tag: "ForEmail", email }, openAccount({ name: "Ada Ltd", email, actor: "op" }))
})

/** Asks for a link, and then for one of another address, whose mail shows that the first request was dealt with. */
const mailsAfter = Effect.fnUntraced(function* (email: string, network = client.network) {
  const { request } = yield* SignInLinks
  const outbox = yield* Outbox
  yield* request({ email, network, devices: "" })
  for (let round = 0; round < 50; round++) yield* Effect.yieldNow
  return yield* Queue.takeAll(outbox).pipe(Effect.timeoutOrElse({ duration: 0, orElse: () => Effect.succeed([]) }))
})

const linkFor = Effect.fnUntraced(function* (email: string) {
  const { request } = yield* SignInLinks
  yield* request({ email, network: client.network, devices: "" })
  return (yield* Queue.take(yield* Outbox)).token
})

it.effect("a link signs its member in once, under 20 concurrent uses", () =>
  Effect.gen(function* () {
    const account = yield* ada
    const signIn = yield* SignIn
    const token = yield* linkFor(" ADA@brand.example ")
    const view = { kind: "signs_in", email: "ADA@brand.example", accountName: "Ada Ltd", wantsCode: false }
    expect(yield* signIn.look(token)).toEqual(view)
    expect(yield* signIn.look(token)).toEqual(view)
    const uses = yield* concurrently(times(20, () => Effect.option(signIn.use(token, client, ""))))
    const signedIn = uses.flatMap((use) => (use._tag === "Some" ? [use.value] : []))
    expect(signedIn).toHaveLength(1)
    expect(signedIn[0]).toMatchObject({ opened: false, signedIn: { account, member: { role: "owner" } } })
    expect((yield* Effect.flip(signIn.look(token)))._tag).toBe("SignInLinkInvalid")
    const { authenticate } = yield* MemberSessions
    const text = signedIn[0] === undefined ? "" : Redacted.value(signedIn[0].token)
    expect((yield* authenticate(text)).account).toEqual(account)
    expect((yield* Effect.flip(authenticate(token)))._tag).toBe("NotSignedIn")
  }).pipe(Effect.provide(environment("closed")))
)

it.effect("a link ends after 15 minutes, and a session after 7 idle days", () =>
  Effect.gen(function* () {
    yield* ada
    const signIn = yield* SignIn
    const [late, inTime] = [yield* linkFor("ada@brand.example"), yield* linkFor("ada@brand.example")]
    yield* TestClock.adjust(SIGN_IN_LINK_MS - 1)
    const { token } = yield* signIn.use(inTime, client, "")
    yield* TestClock.adjust(1)
    expect((yield* Effect.flip(signIn.use(late, client, "")))._tag).toBe("SignInLinkInvalid")
    const { authenticate } = yield* MemberSessions
    yield* TestClock.adjust(SESSION_IDLE_MS - 2)
    yield* authenticate(Redacted.value(token))
    yield* TestClock.adjust(SESSION_IDLE_MS - 1)
    yield* authenticate(Redacted.value(token))
    yield* TestClock.adjust(SESSION_IDLE_MS)
    expect((yield* Effect.flip(authenticate(Redacted.value(token))))._tag).toBe("NotSignedIn")
  }).pipe(Effect.provide(environment("closed")))
)

it.effect("the first sign-in of an unknown address opens an account, which two links at once open once", () =>
  Effect.gen(function* () {
    const signIn = yield* SignIn
    const tokens = [yield* linkFor("new@brand.example"), yield* linkFor("New@brand.example")]
    expect(yield* signIn.look(tokens[0] ?? "")).toEqual({
      ...{ kind: "opens_account", email: "new@brand.example", mayOpen: true, invitations: [] }
    })
    const uses = yield* concurrently(tokens.map((token) => signIn.use(token, client, "")))
    expect(uses.map(({ opened }) => opened).toSorted()).toEqual([false, true])
    expect(new Set(uses.map(({ signedIn }) => signedIn.account.accountId)).size).toBe(1)
    expect(uses[0]?.signedIn.account).toMatchObject({ selfOpened: true, wallet: { balanceCents: 0 } })
  }).pipe(Effect.provide(environment("open")))
)

it.effect("an unknown address gets no mail where sign-up is closed, and no address that is none", () =>
  Effect.gen(function* () {
    yield* ada
    expect(yield* mailsAfter("new@brand.example")).toEqual([])
    expect(yield* mailsAfter("ada@brand.example\r\nBcc: eve@brand.example")).toEqual([])
    expect(yield* mailsAfter("ada@brand.example, eve@brand.example")).toEqual([])
    expect(yield* mailsAfter("ada@brand.example")).toMatchObject([{ to: "ada@brand.example", accountName: "Ada Ltd" }])
  }).pipe(Effect.provide(environment("closed")))
)

it.effect("an address gets five links an hour; a network that its member signed in from has five of its own", () =>
  Effect.gen(function* () {
    yield* ada
    const signIn = yield* SignIn
    yield* signIn.use(yield* linkFor("ada@brand.example"), client, "")
    yield* TestClock.adjust("61 minutes")
    const strangers = yield* Effect.forEach(
      times(7, (n) => `203.0.113.${n}`),
      (network) => mailsAfter("ada@brand.example", network)
    )
    expect(strangers.map((mails) => mails.length)).toEqual([1, 1, 1, 1, 1, 0, 0])
    const own = yield* Effect.forEach(
      times(6, (n) => n),
      () => mailsAfter("ada@brand.example")
    )
    expect(own.map((mails) => mails.length)).toEqual([1, 1, 1, 1, 1, 0])
    yield* TestClock.adjust("61 minutes")
    expect(yield* mailsAfter("ada@brand.example", "203.0.113.9")).toHaveLength(1)
  }).pipe(Effect.provide(environment("closed")))
)

it.effect("unknown addresses use up a network's links for unknown ones only", () =>
  Effect.gen(function* () {
    yield* ada
    const unknown = yield* Effect.forEach(
      times(31, (n) => `new${n}@brand.example`),
      (email) => mailsAfter(email)
    )
    expect(unknown.flat()).toHaveLength(30)
    expect(yield* mailsAfter("ada@brand.example")).toHaveLength(1)
  }).pipe(Effect.provide(environment("open")))
)

it.effect("a mail server that refuses one mail delays no other", () =>
  Effect.gen(function* () {
    expect(yield* mailsAfter(REFUSED)).toEqual([])
    expect(yield* mailsAfter("new@brand.example")).toHaveLength(1)
  }).pipe(Effect.provide(environment("open")))
)

it.effect("a removed member is signed out at once, and others can end their own sessions only", () =>
  Effect.gen(function* () {
    const { accountId } = yield* ada
    const [signIn, sessions, members] = [yield* SignIn, yield* MemberSessions, yield* ManageMembers]
    const owner = yield* signIn.use(yield* linkFor("ada@brand.example"), client, "")
    const by = yield* confirmed(owner.signedIn)
    const bo = yield* joinAs({ accountId, email: "bo@brand.example", role: "viewer" })
    const viewer = yield* signIn.use(yield* linkFor("bo@brand.example"), client, "")
    const foreign = yield* Effect.flip(sessions.revoke(viewer.signedIn, owner.signedIn.session.sessionId))
    expect(foreign._tag).toBe("SessionNotFound")
    const byViewer = yield* confirmed(viewer.signedIn)
    const change = members.changeRole({ accountId, memberId: bo.memberId, role: "owner" }, byViewer)
    expect((yield* Effect.flip(change))._tag).toBe("OwnerOnly")
    yield* members.remove({ accountId, memberId: bo.memberId }, by)
    expect((yield* Effect.flip(sessions.authenticate(Redacted.value(viewer.token))))._tag).toBe("NotSignedIn")
    yield* sessions.revoke(owner.signedIn, owner.signedIn.session.sessionId)
    expect((yield* Effect.flip(sessions.authenticate(Redacted.value(owner.token))))._tag).toBe("NotSignedIn")
  }).pipe(Effect.provide(environment("closed")))
)

it.effect("a demo link is good for long, and ends with the next one", () =>
  Effect.gen(function* () {
    yield* ada
    const signIn = yield* SignIn
    const links = yield* SignInLinks
    const [first, second] = [yield* links.demo("ada@brand.example"), yield* links.demo("ada@brand.example")]
    yield* TestClock.adjust("300 days")
    expect((yield* Effect.flip(signIn.use(first.slice(1), client, "")))._tag).toBe("SignInLinkInvalid")
    expect((yield* signIn.use(second.slice(1), client, "")).signedIn.session.method).toBe("demo")
    expect((yield* Effect.flip(signIn.use(second.slice(1), client, "")))._tag).toBe("SignInLinkInvalid")
  }).pipe(Effect.provide(environment("closed")))
)
