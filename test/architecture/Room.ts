// What a room of the project is, and what it may be granted.

/** `*` stands for any run of characters, in room names, package names and paths alike. */
export interface Grant {
  /** Rooms, by name, or packages, by import specifier. */
  readonly to: string
  /** Only `import type` (or `export type … from`). */
  readonly typesOnly?: true
  /** Only these files of the target room. */
  readonly files?: ReadonlyArray<string>
  /** Only for these importing files. */
  readonly by?: ReadonlyArray<string>
}

export interface Room {
  readonly name: string
  readonly folder: string
  /** Only the files of the folder itself; each folder inside is another room. */
  readonly shallow?: true
  /** Its own files may be named from the root (`#test/…`) as well as by relative path. */
  readonly ownAlias?: true
  readonly may: ReadonlyArray<Grant>
  /** Exceptions from a wide grant. */
  readonly never?: ReadonlyArray<string>
}

const compiled = new Map<string, RegExp>()

const compile = (pattern: string): RegExp => {
  const literals = pattern.split("*").map((literal) => literal.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
  return new RegExp(`^${literals.join(".*")}$`)
}

/** Whether `pattern` describes all of `text`. A pattern is compiled once, because each is asked about every file. */
export const matches = (pattern: string, text: string): boolean => {
  const known = compiled.get(pattern) ?? compile(pattern)
  compiled.set(pattern, known)
  return known.test(text)
}
