// Why a form is not done as it was sent: by what was typed, by the page it was sent from, or by what came of it.
import { Data } from "effect"
import { policyOf } from "#adapters/contract/errors/ErrorCode.ts"
import { errorTextOf, type Failure } from "#adapters/contract/errors/ErrorTable.ts"
import type { NotConfirmed } from "#core/domain/members/MemberRefusal.ts"
import { fieldWords, wordsOf } from "../ErrorWords.ts"
import { notConfirmed } from "./Confirmation.ts"
import type { Fields, Refused } from "./Fields.ts"
import type { FieldMessages } from "./FormBody.ts"

export type Why = Pick<Refused, "messages" | "problem" | "renewed">

/** A form that is not done as it is; the page of the form says why. */
export class FormRefused extends Data.TaggedError("FormRefused")<{
  readonly messages: FieldMessages
  readonly problem: string | null
  readonly status: number
}> {}

const OUTDATED =
  "This page was out of date, and nothing was changed. It is shown as it is now: check it, and send it again."

/** What a list sends are words of programs. */
const OFFERED = "Choose one of the options."

/** What a person did not type is not theirs to correct: it has the page's value again. */
export const unreadable = (fields: Fields, faults: FieldMessages): Why => {
  const renewed = new Set([...faults.keys()].filter((name) => fields[name]?.unseen))
  const typed = [...faults].filter(([name]) => !renewed.has(name))
  const messages = new Map(typed.map(([name, message]) => [name, fields[name]?.offers ? OFFERED : message]))
  return { messages, problem: messages.size === 0 ? OUTDATED : null, renewed }
}

export const unconfirmed = (reason: NotConfirmed["reason"], form: URLSearchParams): Why => ({
  messages: new Map([["code", notConfirmed(reason, form)]]),
  problem: null
})

/** The same form may be sent again, corrected or later. */
const KEPT: ReadonlyArray<number> = [409, 422, 429]

/** A failure that the page of the form can say; `null` for one that ends the page. */
export const failureOf = (failure: Failure): (Why & { readonly status: number }) | null => {
  const { code, status = policyOf(code).status } = errorTextOf(failure)
  if (!KEPT.includes(status)) return null
  const { says, next } = wordsOf(failure)
  const sentences = [says, ...fieldWords(failure), ...(next === undefined ? [] : [next])]
  return { messages: new Map(), problem: sentences.join(" "), status }
}
