// Owns one parsed file and what every rule about it shares: line numbers, and how a breach is written down.
// Knows no rule, and never touches the disk: a source may as well come from a string in a test.

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

/** Parses TypeScript or TSX (by the ending of `file`); throws if the text is not valid, because no rule could be trusted then. */
export const parse = (file: string, text: string): Source => {
  const { program, comments, errors } = parseSync(file, text, { sourceType: "module" })
  const [error] = errors
  if (error !== undefined) throw new Error(`${file} cannot be parsed: ${error.message}`)
  const lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
  return { file, text, program, comments, lineAt: (offset) => lineStarts.findLastIndex((start) => start <= offset) + 1 }
}

/** The line a person sees when a rule is broken; terminals and editors turn it into a link. */
export const describeViolation = ({ file, line, message }: Violation): string => `${file}:${line} ${message}`
