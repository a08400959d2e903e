// Changes of factors: announced to all owners whatever the mail server does, written to the audit log, and made shortly after a sign-in only.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Queue, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { TOTP } from "otpauth"
import { expect } from "vitest"
import * as Passkeys from "#adapters/factors/Passkeys.ts"
import * as TotpCodes from "#adapters/factors/TotpCodes.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import * as Vault from "#adapters/outbound/Vault.ts"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import type { Mail } from "#core/domain/mails/Mail.ts"
import { FRESH_SIGN_IN_MS, type SignedIn } from "#core/domain/members/Session.ts"
import { Mailer, MailUnavailable } from "#core/ports/mails/Mailer.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import { ManageAuthenticatorApp } from "#core/usecases/members/ManageAuthenticatorApp.ts"
import { ManageFactors } from "#core/usecases/members/ManageFactors.ts"
import { ManagePasskeys } from "#core/usecases/members/ManagePasskeys.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ResetCodes } from "#core/usecases/members/ResetCodes.ts"
import { VerifyFactor } from "#core/usecases/members/VerifyFactor.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { noPages } from "#test/core/MemberAreaGiven.ts"

class Outbox extends Context.Service<Outbox, Queue.Queue<readonly [to: string, mail: Mail]>>()(
  "backlinks/test/FactorMails"
) {}

const REFUSED = "refused@brand.example"
const SETTINGS = "https://shop.example/settings"

/** One owner's mail server takes nothing. */
const mailer = Layer.effect(
  Mailer,
  Effect.map(Outbox, (outbox) =>
    Mailer.of({
      send: (to, mail) =>
        to === REFUSED
          ? Effect.fail(new MailUnavailable({ reason: "full" }))
          : Effect.asVoid(Queue.offer(outbox, [to, mail]))
    })
  )
)

const adapters = Layer.mergeAll(
  mailer,
  Layer.succeed(MemberArea, { ...noPages, settingsPage: SETTINGS }),
  Passkeys.layer({ peopleUrl: "http://localhost", serviceName: "Test" }),
  TotpCodes.layer("Test"),
  Vault.layer({ key: Redacted.make(Buffer.alloc(32, 7).toString("base64")) })
)

const environment = Layer.mergeAll(ManagePasskeys.layer, ManageAuthenticatorApp.layer).pipe(
  Layer.provide(ManageFactors.layer),
  Layer.provideMerge(ConfirmAction.layer),
  Layer.provideMerge(Layer.mergeAll(MemberSessions.layer, ResetCodes.layer, VerifyFactor.layer)),
  Layer.provide(adapters),
  Layer.provideMerge(Layer.effect(Outbox, Queue.unbounded<readonly [string, Mail]>())),
  Layer.provideMerge(MemoryStore.layer),
  Layer.provide(NodeCrypto.layerDigest),
  Layer.provide(SecureRandom.layerWebCrypto)
)

/** An account of three owners and a viewer; the session of the first owner. */
const signedInOwner = Effect.gen(function* () {
  const book = yield* OrderBook
  const email = "ada@brand.example"
  const { accountId } = yield* book.transact(
    { _tag: "ForEmail", email },
    openAccount({ name: "Ada Ltd", email, actor: "op" })
  )
  for (const [address, role] of [
    [REFUSED, "owner"],
    ["bo@brand.example", "owner"],
    ["cy@brand.example", "viewer"]
  ] as const) {
    yield* joinAs({ accountId, email: address, role })
  }
  const known = yield* (yield* Members).byEmail(email)
  if (known === null) throw new Error("No member has the address of the account")
  const sessions = yield* MemberSessions
  return (yield* sessions.start(known, "link", { network: "192.0.2.1", userAgent: "test", who: null })).signedIn
})

const confirm = (signedIn: SignedIn, code = "") =>
  Effect.flatMap(ConfirmAction, (use) =>
    use.confirmFactorChange(signedIn, { name: "/", fields: [] }, { assertion: "", code })
  )

/** At the test clock's time, plus steps of 30 seconds. */
const codeOf = (secret: string, steps = 0) =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => new TOTP({ secret }).generate({ timestamp: nowMs + steps * 30_000 }))

it.effect("a new app, and its end, is told to all owners, and written to the audit log by its member", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2027, 0, 1))
    const owner = yield* signedInOwner
    const app = yield* ManageAuthenticatorApp
    const { secret, sealed } = yield* app.create(owner)
    expect(yield* app.open(owner, sealed)).toMatchObject({ secret })
    yield* app.add(owner, { sealed, code: yield* codeOf(secret) }, Effect.succeed(yield* confirm(owner)))
    const [kept] = (yield* (yield* Factors).ofMembers([owner.member.memberId])).totps
    expect(kept?.sealedSecret).not.toContain(secret)
    yield* app.remove(owner, yield* confirm(owner, yield* codeOf(secret, 1)))
    const mails = yield* Queue.takeAll(yield* Outbox)
    const told = (change: string) =>
      ["ada@brand.example", "bo@brand.example"].map((to) => [
        to,
        { _tag: "FactorChanged", accountName: "Ada Ltd", email: "ada@brand.example", change, url: SETTINGS }
      ])
    expect(mails).toEqual([...told("totp_added"), ...told("totp_removed")])
    const { records } = yield* (yield* AuditLog).page({ limit: 2, beforeId: null })
    expect(records.map(({ action, actor }) => [action, actor])).toEqual([
      ["factor.totp_removed", owner.member.memberId],
      ["factor.totp_added", owner.member.memberId]
    ])
  }).pipe(Effect.provide(environment))
)

it.effect("factors are added in a session of at most ten minutes, and what is wrong spends no confirmation", () =>
  Effect.gen(function* () {
    const owner = yield* signedInOwner
    const app = yield* ManageAuthenticatorApp
    const passkeys = yield* ManagePasskeys
    const { secret, sealed } = yield* app.create(owner)
    const never = Effect.die("A confirmation was asked for")
    const wrong = yield* Effect.flip(app.add(owner, { sealed, code: "nonsense" }, never))
    expect(wrong._tag).toBe("CodeRefused")
    yield* TestClock.adjust(FRESH_SIGN_IN_MS - 1)
    yield* passkeys.options(owner)
    yield* TestClock.adjust(1)
    const late = [
      yield* Effect.flip(app.add(owner, { sealed, code: yield* codeOf(secret) }, never)),
      yield* Effect.flip(passkeys.options(owner)),
      yield* Effect.flip(app.create(owner)),
      yield* Effect.flip(passkeys.add(owner, { name: "Laptop", response: "{}" }, never))
    ]
    for (const refusal of late) expect(refusal).toMatchObject({ _tag: "SignInTooOld", minutes: 10 })
  }).pipe(Effect.provide(environment))
)
