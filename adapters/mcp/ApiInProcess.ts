// The API for tools of the same process: the operations that REST serves, called directly.
import { Effect, Layer } from "effect"
import { CallOperation } from "#adapters/http/operations/CallOperation.ts"
import { OrderingApi } from "./OrderingApi.ts"

export const layer = Layer.effect(
  OrderingApi,
  Effect.map(CallOperation, ({ call }) => OrderingApi.of({ call }))
).pipe(Layer.provide(CallOperation.layer))
