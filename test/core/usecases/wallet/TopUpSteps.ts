// Accounts that top up, over the simulated processor with its faults, in memory.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import * as SimulatedProcessor from "#adapters/payments/SimulatedProcessor.ts"
import * as FaultyProcessor from "#bench/service/FaultyProcessor.ts"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { FollowTopUps } from "#core/usecases/wallet/FollowTopUps.ts"
import { OpenTopUps } from "#core/usecases/wallet/OpenTopUps.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { noPages } from "#test/core/MemberAreaGiven.ts"

export const environment = Layer.mergeAll(TopUpCredit.layer, MemberSessions.layer).pipe(
  Layer.provideMerge(OpenTopUps.layer),
  Layer.provideMerge(FollowTopUps.layer),
  Layer.provideMerge(FaultyProcessor.layer.pipe(Layer.provide(SimulatedProcessor.layer))),
  Layer.provide(
    Layer.succeed(MemberArea, { ...noPages, topUpPage: (token: string) => `https://shop.example/${token}` })
  ),
  Layer.provideMerge(MemoryStore.layer),
  Layer.provide(NodeCrypto.layerDigest),
  Layer.provide(SecureRandom.layerWebCrypto)
)

/** The owner of a new account. */
export const signInTo = Effect.fnUntraced(function* (email: string) {
  const book = yield* OrderBook
  yield* book.transact({ _tag: "ForEmail", email }, openAccount({ name: "Ada", email, actor: "op" }))
  const found = yield* (yield* Members).byEmail(email)
  if (found === null) throw new Error("no member")
  const client = { network: "192.0.2.1", userAgent: "", who: null }
  return (yield* (yield* MemberSessions).start(found, "link", client)).signedIn
})

export const balance = ({ account: { accountId } }: SignedIn) =>
  Effect.flatMap(Wallets, (wallets) => Effect.map(wallets.of(accountId), (view) => view?.account.wallet.balanceCents))
