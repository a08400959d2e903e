// Looks up the keys of many callers in one statement: of all that ask before it is sent.
import { Effect, Exit, References, Request, RequestResolver } from "effect"
import { waitingForStore } from "#adapters/concurrency/AnswerInTime.ts"
import { CallingAccount } from "#adapters/concurrency/CallingAccount.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

interface Lookup<Key, A> extends Request.Request<A, StoreUnavailable> {
  readonly _tag: "Lookup"
  readonly key: Key
}

/** `lookUpAll` returns one result per key, in the order of the keys. It serves several requests: it logs under none of their ids, and waits for no account's turn. */
export const makeBatchedLookup = <Key, A>(
  lookUpAll: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<A>, StoreUnavailable>
): ((key: Key) => Effect.Effect<A, StoreUnavailable>) => {
  const lookup = Request.tagged<Lookup<Key, A>>("Lookup")
  const resolver = RequestResolver.make<Lookup<Key, A>>((entries) =>
    Effect.map(lookUpAll(entries.map(({ request }) => request.key)), (found) => {
      for (const [index, entry] of entries.entries()) {
        const one = found[index]
        entry.completeUnsafe(one === undefined ? Exit.die("every key has its answer") : Exit.succeed(one))
      }
    }).pipe(Effect.provideService(References.CurrentLogAnnotations, {}), Effect.provideService(CallingAccount, ""))
  )
  return (key) => waitingForStore(Effect.request(lookup({ key }), resolver))
}
