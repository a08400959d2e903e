// A change of address whose store fails between the change and the end of the sessions: another press of either link ends them.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import { SecureRandom } from "effect/crypto"
import { expect } from "vitest"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { EmailSide } from "#core/domain/members/EmailChange.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ChangeEmail } from "#core/usecases/members/ChangeEmail.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { noPages } from "#test/core/MemberAreaGiven.ts"

const PERSON = { network: "192.0.2.1", userAgent: "", who: null }

const AWAY = new StoreUnavailable({ retryAfterSeconds: 1 })

/** The links that were sent, by mailbox, and the number of ends of all sessions that fail next. */
const environment = Effect.gen(function* () {
  const sent = new Map<EmailSide, string>()
  const failing = yield* Ref.make(0)
  const mailer = Layer.succeed(Mailer, {
    send: (_to, mail) =>
      Effect.sync(() => {
        if (mail._tag === "EmailChange") sent.set(mail.side, mail.url)
      })
  })
  const sessions = Layer.effect(
    Sessions,
    Effect.map(Sessions, (store) => ({
      ...store,
      endAll: (...asked: Parameters<typeof store.endAll>) =>
        Effect.flatMap(
          Ref.modify(failing, (left) => [left > 0, Math.max(0, left - 1)] as const),
          (isAway) => (isAway ? Effect.fail(AWAY) : store.endAll(...asked))
        )
    }))
  )
  const layer = Layer.mergeAll(ChangeEmail.layer, MemberSessions.layer).pipe(
    Layer.provideMerge(sessions),
    Layer.provideMerge(MemoryStore.layer),
    Layer.provide(Layer.mergeAll(mailer, NodeCrypto.layerDigest, SecureRandom.layerWebCrypto)),
    Layer.provide(Layer.succeed(MemberArea, { ...noPages, emailChangePage: (token: string) => token }))
  )
  return { sent, failing, layer }
})

const changing = Effect.fnUntraced(function* (sent: ReadonlyMap<EmailSide, string>) {
  const { start } = yield* MemberSessions
  const email = "ada@brand.example"
  yield* (yield* OrderBook).transact({ _tag: "ForEmail", email }, openAccount({ name: "Ada", email, actor: "op" }))
  const found = yield* (yield* Members).byEmail(email)
  if (found === null) return yield* Effect.die(new Error("an account has an owner"))
  const [here, elsewhere] = [yield* start(found, "link", PERSON), yield* start(found, "link", PERSON)]
  const { ask } = yield* ChangeEmail
  const { memberId } = found.member
  // What the confirmation asks is not what this is about.
  yield* ask(here.signedIn, "ada@new.example", { memberId } as Confirmed)
  yield* Effect.yieldNow
  const linkTo = (side: EmailSide) => sent.get(side) ?? ""
  const live = Effect.map((yield* Sessions).live([memberId], 0), (all) => all.map(({ sessionId }) => sessionId))
  return { memberId, here: here.signedIn, elsewhere: elsewhere.signedIn, linkTo, live }
})

for (const side of ["old", "new"] as const)
  it.effect(
    `the ${side} mailbox's second press ends the sessions that the first one left, and no other press does`,
    () =>
      Effect.gen(function* () {
        const { sent, failing, layer } = yield* environment
        yield* Effect.gen(function* () {
          const { accept, look, refuse, waiting } = yield* ChangeEmail
          const { here, elsewhere, linkTo, live, memberId } = yield* changing(sent)
          expect((yield* accept(linkTo("new"), null))._tag).toBe("Waits")
          yield* Ref.set(failing, 1)
          expect((yield* Effect.flip(accept(linkTo("old"), here)))._tag).toBe("StoreUnavailable")
          const changed = yield* (yield* Members).byId(memberId)
          expect(changed?.member.email).toBe("ada@new.example")
          expect(yield* live).toContain(elsewhere.session.sessionId)
          expect(yield* look(linkTo(side))).toMatchObject({ isDone: true })
          expect(changed === null ? null : yield* waiting({ ...here, ...changed })).toBe(null)
          expect(yield* refuse(linkTo("old"))).toBe(null)
          expect(yield* accept(linkTo(side), here)).toMatchObject({
            ...{ _tag: "Changed", change: { from: "ada@brand.example", to: "ada@new.example" } }
          })
          expect(yield* live).toEqual([here.session.sessionId])
          yield* (yield* MemberSessions).start({ ...here, ...changed }, "link", PERSON)
          for (const link of [linkTo("old"), linkTo("new")]) {
            expect(yield* look(link)).toBe(null)
            expect((yield* accept(link, null))._tag).toBe("Ended")
          }
          expect(yield* live).toHaveLength(2)
        }).pipe(Effect.provide(layer))
      })
  )
