// The API for tools of the same process: the operations that REST serves, called directly.
import { Effect, Layer } from "effect"
import { makeCallOperation } from "#adapters/http/operations/CallOperation.ts"
import { OrderingApi } from "./OrderingApi.ts"

export const layer = Layer.effect(
  OrderingApi,
  Effect.map(makeCallOperation, (call) => ({ call }))
)
