// From the terminal's input to the names of keys and their actions.
import type { Key } from "ink"
import type { Unavailable } from "../events/Command.ts"
import type { Model } from "../model/Model.ts"
import { KEYS, type KeyAction, reasonAgainst } from "./KeyBindings.ts"
import type { View } from "./View.ts"

const NAMED = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["escape", "escape"],
  ["return", "return"]
] as const

/** The keys in one piece of input, which holds several characters while a key is held down. */
export const keyNames = (input: string, key: Partial<Key>): ReadonlyArray<string> => {
  if (key.tab === true) return [key.shift === true ? "shift tab" : "tab"]
  const named = NAMED.find(([flag]) => key[flag] === true)
  if (named !== undefined) return [named[1]]
  if (key.ctrl === true || key.meta === true) return [`${key.ctrl === true ? "ctrl" : "alt"} ${input}`]
  return Array.from(input, (character) => (character === " " ? "space" : character))
}

export const press = (name: string, model: Model, view: View, unavailable: Unavailable): KeyAction => {
  const key = KEYS.find(({ names }) => names.includes(name))
  if (key === undefined) return { _tag: "Refuse", message: `"${name}" does nothing here; ? shows the keys.` }
  const reason = reasonAgainst(key, unavailable)
  return reason === undefined
    ? key.action(model, view)
    : { _tag: "Refuse", message: `"${key.label}" is not available here: ${reason}.` }
}
