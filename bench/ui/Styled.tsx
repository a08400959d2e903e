// The few tones of the screen. Colour only repeats what shapes and words already say: without it, everything is still there.
import { Text } from "ink"
import { createContext, type ReactNode, useContext } from "react"

export type Tone = "plain" | "strong" | "quiet" | "good" | "bad" | "busy" | "accent"

/** Whether the terminal and its person want colour. */
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

/** One row of a pane, never more: what is too long is cut. */
export const Row = ({ children }: { readonly children: ReactNode }) => <Text wrap="truncate">{children}</Text>
