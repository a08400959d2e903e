// How a call of the operator plane is defined: every one can fail with an `OperatorError` and nothing else.
import type { Schema } from "effect"
import { Rpc } from "effect/rpc"
import { OperatorError } from "../OperatorError.ts"

export const call = <const Tag extends string, Fields extends Schema.Struct.Fields, Success extends Schema.Top>(
  tag: Tag,
  payload: Fields,
  success: Success
) => Rpc.make(tag, { payload, success, error: OperatorError })
