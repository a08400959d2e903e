// From what the terminal sends to what it means: the key's name, and the deed that the table has for it.
import type { Key as InkKey } from "ink"
import type { Unavailable } from "../events/Command.ts"
import type { Model } from "../model/Model.ts"
import { type Deed, KEYS, reasonAgainst } from "./KeyBindings.ts"
import type { View } from "./View.ts"

type Flags = Partial<InkKey>

const NAMED = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["escape", "escape"],
  ["return", "return"]
] as const

/** The names of the keys in one piece of input: several characters are several keys, as they come while a key is held down. */
export const keyNames = (input: string, key: Flags): ReadonlyArray<string> => {
  if (key.tab === true) return [key.shift === true ? "shift tab" : "tab"]
  const named = NAMED.find(([flag]) => key[flag] === true)
  if (named !== undefined) return [named[1]]
  if (key.ctrl === true || key.meta === true) return [`${key.ctrl === true ? "ctrl" : "alt"} ${input}`]
  return Array.from(input, (character) => (character === " " ? "space" : character))
}

/** What the key comes to here and now; a key without a meaning says so too. */
export const press = (name: string, model: Model, view: View, unavailable: Unavailable): Deed => {
  const key = KEYS.find(({ names }) => names.includes(name))
  if (key === undefined) return { _tag: "Refuse", saying: `"${name}" does nothing here; ? shows the keys.` }
  const reason = reasonAgainst(key, unavailable)
  return reason === undefined
    ? key.deed(model, view)
    : { _tag: "Refuse", saying: `"${key.label}" is not to be had here: ${reason}.` }
}
