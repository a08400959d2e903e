// How a quote's answer is stored: what differs between orders, and the number of a form with all that does not. The SQL function
// `stored_text` has the text again, byte for byte.
import { hash } from "node:crypto"
import type { Discount } from "#core/domain/pricing/Discount.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"

/** Neither is in JSON text: there they are escaped. */
const HOLE = "\u0001"
const ID_PREFIX = "\u0002"

/** Forms by their text, with their numbers: 66 bits of the text's SHA-256. */
export type TextForms = Map<string, string>

const formId = (form: string): string => hash("sha256", form, "base64url").slice(0, 11)

/** Numbers, and words that begin with a digit. Every second part of the text is one. */
const varying = /([0-9][0-9a-z.]*)/

/**
 * Whether the answer to an order with this discount is in words that many orders have in common: forms are never deleted, and a client
 * could make any number of others.
 */
export const isOfFewForms = ({ considered }: Discount): boolean =>
  considered.every(({ usedForDomain }) => usedForDomain === undefined)

/** The id prefix is that of the quote. Adds the form to `forms`. */
export const storedText = (body: string, quoteId: QuoteId, forms: TextForms): string => {
  const parts = body.replaceAll(quoteId.slice(-28, -2), ID_PREFIX).split(varying)
  let form = parts[0] ?? ""
  let values = ""
  for (let index = 1; index < parts.length; index += 2) {
    values += ` ${parts[index]}`
    form += HOLE + parts[index + 1]
  }
  let id = forms.get(form)
  if (id === undefined) {
    id = formId(form)
    forms.set(form, id)
  }
  return HOLE + id + values
}

export const textFormRows = (forms: TextForms) => Array.from(forms, ([form, id]) => ({ form_id: id, form }))
