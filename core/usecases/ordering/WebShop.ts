// Lets a member order in the Shop: by the account's built-in credential, and otherwise as any caller does.
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { openWebCredential } from "#core/decisions/members/AccountState.ts"
import { ALL_SCOPES, type Caller } from "#core/domain/access/ApiKey.ts"
import type { AccountClosed, AccountNotFound, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

const ID_BYTES = 16

export class WebShop extends Context.Service<
  WebShop,
  {
    /** For owners. The caller may be used for prices, orders, and what becomes of them. */
    readonly callerOf: (
      signedIn: SignedIn
    ) => Effect.Effect<Caller, AccountClosed | AccountNotFound | OwnerOnly | StoreUnavailable>
    /** For a cart, which it binds as its idempotency key, and for hidden fields: a form that is sent twice takes effect once. */
    readonly newId: Effect.Effect<string>
  }
>()("backlinks/usecases/ordering/WebShop") {
  static readonly layer = Layer.effect(
    WebShop,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const random = yield* SecureRandom.SecureRandom

      return WebShop.of({
        callerOf: Effect.fn("WebShop.callerOf")(function* ({ member: { memberId }, account: { accountId } }) {
          const decide = openWebCredential(accountId, { memberId })
          const keyId = yield* book.transact({ _tag: "ForAccount", accountId }, decide)
          return { accountId, keyId, mode: "live" as const, scopes: ALL_SCOPES, memberId }
        }),
        newId: Effect.map(random.randomBytes(ID_BYTES), Base64Url.encode)
      })
    })
  )
}
