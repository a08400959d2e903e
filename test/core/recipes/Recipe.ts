// A recipe of core/README.md as data: its places in the order in which a follower is told of them.
import type { Edit } from "./Edit.ts"

/** Who says that a place was forgotten: the compiler by an error in `file`, or a test, by its name in `file`. */
interface Telling {
  readonly by: "compiler" | "test"
  readonly file: string
  /** The test's name. */
  readonly name?: string
  readonly words: RegExp
}

export interface Place {
  readonly what: string
  readonly edits: ReadonlyArray<Edit>
  readonly told: Telling
}

export interface Recipe {
  readonly title: string
  /** Where the follower begins. */
  readonly beginning: ReadonlyArray<Edit>
  /** The places that are told of once all before them are entered. */
  readonly steps: ReadonlyArray<ReadonlyArray<Place>>
}

export const compiler = (file: string, words: RegExp): Telling => ({ by: "compiler", file, words })

export const test = (file: string, name: string, words: RegExp): Telling => ({ by: "test", file, name, words })
