// Text in one of the screen's few tones. Colour only repeats what shapes and words say.
import { Text } from "ink"
import { createContext, type ReactNode, useContext } from "react"

export type Tone = "plain" | "strong" | "quiet" | "good" | "bad" | "busy" | "accent"

/** A character that stands for a state. */
export interface Mark {
  readonly mark: string
  readonly tone: Tone
}

export const Colour = createContext(true)

const COLOURS: Partial<Readonly<Record<Tone, string>>> = { good: "green", bad: "red", busy: "yellow", accent: "cyan" }

export const Styled = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => {
  const name = useContext(Colour) ? COLOURS[tone] : undefined
  return (
    <Text bold={tone === "strong"} dimColor={tone === "quiet"} {...(name === undefined ? {} : { color: name })}>
      {children}
    </Text>
  )
}

/** One row, truncated where it is too long. */
export const Row = ({ children }: { readonly children: ReactNode }) => <Text wrap="truncate">{children}</Text>
