// The operation that tells a client what its credential is.
import { Effect } from "effect"
import { showMe } from "#adapters/contract/access/Me.ts"
import { SupportContact } from "#adapters/contract/shared/ServiceDescription.ts"
import { DescribeCaller } from "#core/usecases/access/DescribeCaller.ts"
import type { MeApi } from "../api/MeApi.ts"
import type { OperationsOf } from "./Operation.ts"

export const meOperations = Effect.gen(function* () {
  const callers = yield* DescribeCaller
  const supportContact = yield* SupportContact
  const operations: OperationsOf<typeof MeApi> = {
    getMe: (caller) => Effect.map(callers.describe(caller), (described) => showMe(described, supportContact))
  }
  return operations
})
