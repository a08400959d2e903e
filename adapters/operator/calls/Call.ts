// Defines a call of the operator plane; its only error is `OperatorError`.
import type { Schema } from "effect"
import { Rpc } from "effect/rpc"
import { OperatorError } from "../OperatorError.ts"

export const call = <const Tag extends string, Fields extends Schema.Struct.Fields, Success extends Schema.Top>(
  tag: Tag,
  payload: Fields,
  success: Success
) => Rpc.make(tag, { payload, success, error: OperatorError })
