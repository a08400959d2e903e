// A parsed file with its line numbers, and how a violation is written. A source may come from disk or from a string.

import { type Comment, type Program, parseSync } from "oxc-parser"

export interface Source {
  /** Path from the project's root, with forward slashes. */
  readonly file: string
  readonly text: string
  readonly program: Program
  readonly comments: ReadonlyArray<Comment>
  /** The line, counted from 1, that holds the character at `offset`. */
  readonly lineAt: (offset: number) => number
}

export interface Violation {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly message: string
}

/** A rule about one file. */
export type Rule = (source: Source) => ReadonlyArray<Violation>

/** Parses TypeScript or TSX (by the ending of `file`); throws if the text is not valid. */
export const parse = (file: string, text: string): Source => {
  const { program, comments, errors } = parseSync(file, text, { sourceType: "module" })
  const [error] = errors
  if (error !== undefined) throw new Error(`${file} cannot be parsed: ${error.message}`)
  const lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
  return { file, text, program, comments, lineAt: (offset) => lineStarts.findLastIndex((start) => start <= offset) + 1 }
}

/** `file:line message`, which terminals and editors turn into a link. */
export const describeViolation = ({ file, line, message }: Violation): string => `${file}:${line} ${message}`
