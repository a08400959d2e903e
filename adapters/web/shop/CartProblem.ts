// Why a cart cannot be ordered as it is, in words for the person who filled it, and beside which item.

import { policyOf } from "#adapters/contract/errors/ErrorCode.ts"
import { errorTextOf, type Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { wordsOf } from "../ErrorWords.ts"

export interface CartProblem {
  /** Messages by the position of the item. */
  readonly ofItems: ReadonlyMap<number, string>
  readonly ofPromoCode: string | null
  /** Message about the cart as a whole. */
  readonly ofCart: string | null
}

const sentenceOf = (failure: Failure): string => {
  switch (failure._tag) {
    case "SiteUnavailable":
      return "This site takes no orders at the moment. Remove it from the cart."
    case "SiteNotFound":
      return "This site does not exist any more. Remove it from the cart."
    case "CartInvalid":
      return failure.faults.map(({ message }) => message).join(" ")
    default: {
      const { says, next } = wordsOf(failure)
      return next === undefined ? says : `${says} ${next}`
    }
  }
}

const itemOf = (path: string | undefined): number | undefined => {
  const [, index] = /^items\[(\d+)\]/.exec(path ?? "") ?? []
  return index === undefined ? undefined : Number(index)
}

/** `null` where the fault is the service's. */
export const cartProblem = (failure: Failure): CartProblem | null => {
  const { code, param, errors = [] } = errorTextOf(failure)
  if (policyOf(code).status >= 500) return null
  const text = sentenceOf(failure)
  const ofItems = new Map<number, string>()
  for (const { path, message } of errors.length > 0 ? errors : [{ path: param, message: text }]) {
    const index = itemOf(path)
    if (index !== undefined) ofItems.set(index, message)
  }
  const ofPromoCode = param === "promo_code" ? text : null
  return { ofItems, ofPromoCode, ofCart: ofItems.size > 0 || ofPromoCode !== null ? null : text }
}
