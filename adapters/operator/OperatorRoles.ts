// The role that a call requires, as the call declares it.
import { Context, Predicate } from "effect"
import type { OperatorRole } from "#core/domain/members/Actor.ts"
import { RequiredAccess } from "./calls/Call.ts"
import { OperatorRpcs } from "./OperatorRpcs.ts"

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false

const calls: ReadonlyMap<string, { readonly annotations: Context.Context<never> }> = OperatorRpcs.requests

/** `admin` for an unknown call. */
export const requiredRole = (tag: string, payload: unknown): OperatorRole => {
  const call = calls.get(tag)
  if (call === undefined) return "admin"
  const { role, adminFields } = Context.get(call.annotations, RequiredAccess)
  const asksForMore =
    Predicate.isObject(payload) &&
    Object.entries(payload).some(([field, value]) => adminFields.includes(field) && isSet(value))
  return asksForMore ? "admin" : role
}
